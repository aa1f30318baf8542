package racer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import racewire.api.Before;
import racewire.api.Pointcut;
import racewire.api.Site;

/**
 * RACER of "Aspect-oriented Race Detection in Java" as a monitor: a variable that two threads access without a common
 * lock, at least one of them writing, and not ordered by the start of a thread. Which code is looked at is for a subclass
 * to say. Everything is kept under one lock, which no code of the program is ever called with.
 */
public abstract class Racer {
    private static final Object LOCK = new Object();
    private static final WeakIdentityMap<Map<String, Variable>> VARIABLES = new WeakIdentityMap<>();
    private static final WeakIdentityMap<Period.ThreadLife> THREADS = new WeakIdentityMap<>();
    private static final Set<String> REPORTED = new HashSet<>();

    @Pointcut
    protected abstract void scope();

    /** Races on final fields are impossible, and volatile ones are synchronisation. */
    @Pointcut("get(static !final !volatile * *) || set(static !final !volatile * *)")
    static void staticAccess() { }

    @Pointcut("(get(!static !final !volatile * *) || set(!static !final !volatile * *)) && target(owner)")
    static void fieldAccess(Object owner) { }

    @Before("staticAccess() && maybeShared() && scope()")
    static void access(Site site) {
        access(site.ownerClass(), site);
    }

    @Before("fieldAccess(owner) && maybeShared() && scope()")
    static void access(Object owner, Site site) {
        Set<Integer> locks = Locking.held();
        synchronized (LOCK) {
            Period now = life(Thread.currentThread()).now();
            Map<String, Variable> fields = VARIABLES.get(owner, HashMap::new);
            String field = site.owner() + "." + site.name();
            Variable variable = fields.computeIfAbsent(field, name -> new Variable());
            Variable.Access access = new Variable.Access(site, now, locks);
            for (Variable.Access earlier : variable.access(access)) {
                report(field, owner, earlier, access);
            }
        }
    }

    @Before("call(void Thread+.start()) && target(t) && scope()")
    static void starting(Thread t) {
        synchronized (LOCK) {
            Period.ThreadLife starter = life(Thread.currentThread());
            Period now = starter.now();
            THREADS.get(t, () -> new Period.ThreadLife(now));
            starter.starts();
        }
    }

    private static Period.ThreadLife life(Thread thread) {
        return THREADS.get(thread, () -> new Period.ThreadLife(null));
    }

    private static void report(String field, Object owner, Variable.Access earlier, Variable.Access later) {
        String race = "Race condition found! Field '" + field + "' is accessed unprotected.";
        if (REPORTED.add(race + earlier + later)) {
            System.err.println(race + " Owner object: " + System.identityHashCode(owner) + " / " + earlier + " / " + later);
        }
    }
}
