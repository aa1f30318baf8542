package racewire.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Runs before each join point that the pointcut matches. What it throws comes out of the program at that place. For static methods of a monitor. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Before {
    /** The pointcut. */
    String value();


    /** Names of the method's parameters, joined by commas, for classes compiled without -g and -parameters. */
    String argNames() default "";
}
