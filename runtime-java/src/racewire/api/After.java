package racewire.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Runs after each join point that the pointcut matches, however it ends. For static methods of a monitor. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface After {
    /** The pointcut. */
    String value();


    /** Names of the method's parameters, joined by commas, for classes compiled without -g and -parameters. */
    String argNames() default "";
}
