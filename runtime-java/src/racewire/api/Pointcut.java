package racewire.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a pointcut the name and the parameters of the method, whose body is never run. On an abstract method without a
 * value it is for subclasses to say what the pointcut is.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Pointcut {
    /** The pointcut. */
    String value() default "";

    /** Names of the method's parameters, joined by commas, for classes compiled without -g and -parameters. */
    String argNames() default "";
}
