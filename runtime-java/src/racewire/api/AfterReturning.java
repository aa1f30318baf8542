package racewire.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Runs after each join point that the pointcut matches and that ends without an exception. For static methods of a monitor. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface AfterReturning {
    /** The pointcut. */
    String value();

    /** Name of the parameter that gets what was read or what the call gave. */
    String returning() default "";
    /** Names of the method's parameters, joined by commas, for classes compiled without -g and -parameters. */
    String argNames() default "";
}
