package racewire.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Runs after each call or execution that the pointcut matches and that ends with an exception. For static methods of a monitor. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface AfterThrowing {
    /** The pointcut. */
    String value();

    /** Name of the parameter that gets the exception, if it is one of that type. */
    String throwing() default "";
    /** Names of the method's parameters, joined by commas, for classes compiled without -g and -parameters. */
    String argNames() default "";
}
