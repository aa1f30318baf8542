package figures;

import racewire.api.Before;
import racewire.api.Pointcut;
import racewire.api.Site;

/** Figure 8: accesses of fields that may be shared, with their sites; the scope is for subclasses to define. */
public abstract class Figure8 {
    @Pointcut
    protected abstract void scope();

    @Pointcut("set(static * *) && maybeShared()")
    static void staticFieldSet() { }

    @Pointcut("set(!static * *) && target(owner) && maybeShared()")
    static void fieldSet(Object owner) { }

    @Pointcut("get(static * *) && maybeShared()")
    static void staticFieldGet() { }

    @Pointcut("get(!static * *) && target(owner) && maybeShared()")
    static void fieldGet(Object owner) { }

    @Before("staticFieldSet() && scope()")
    static void staticSet(Site site) {
        tell(site.ownerClass(), site);
    }

    @Before("fieldSet(owner) && scope()")
    static void set(Object owner, Site site) {
        tell(owner, site);
    }

    @Before("staticFieldGet() && scope()")
    static void staticGet(Site site) {
        tell(site.ownerClass(), site);
    }

    @Before("fieldGet(owner) && scope()")
    static void get(Object owner, Site site) {
        tell(owner, site);
    }

    private static void tell(Object owner, Site site) {
        String what = site.kind() + " " + site.descriptor() + " " + site.owner() + "." + site.name();
        Out.print("figure 8: " + Out.name(owner) + " " + what + " at " + site.location());
    }
}
