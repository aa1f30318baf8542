package figures;

import racewire.api.Before;
import racewire.api.Pointcut;

/** Figure 2: a scope, a pointcut with a parameter, and advice on both. */
public class Figure2 {
    @Pointcut("!within(figures.*)")
    static void scope() { }

    @Pointcut("set(!static * *) && target(owner)")
    static void fieldSet(Object owner) { }

    @Before("fieldSet(owner) && scope()")
    static void beforeSet(Object owner) {
        Out.print("figure 2: field of " + Out.name(owner));
    }
}
