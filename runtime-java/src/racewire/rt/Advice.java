package racewire.rt;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import racewire.api.Site;

/** What code woven for monitors calls besides their advice. */
public final class Advice {
    /** Sites of class files that are too old for dynamic constants, by class. */
    private static final ClassValue<ConcurrentHashMap<String, Site>> SITES =
        new ClassValue<ConcurrentHashMap<String, Site>>() {
            @Override
            protected ConcurrentHashMap<String, Site> computeValue(Class<?> type) {
                return new ConcurrentHashMap<String, Site>();
            }
        };

    /** One element: whether the thread is in an advice. */
    private static final ThreadLocal<boolean[]> RUNNING = new ThreadLocal<boolean[]>() {
        @Override
        protected boolean[] initialValue() {
            return new boolean[1];
        }
    };

    private Advice() { }

    /** Bootstrap method: the site of an instruction, made once. */
    public static CallSite site(MethodHandles.Lookup caller, String name, MethodType type, String text) {
        return new ConstantCallSite(MethodHandles.constant(Site.class, new Site(caller.lookupClass(), text)));
    }

    /** The same for older classes. */
    public static Site site(Class<?> caller, String text) {
        ConcurrentHashMap<String, Site> known = SITES.get(caller);
        Site site = known.get(text);
        if (site == null) {
            Site made = new Site(caller, text);
            Site other = known.putIfAbsent(text, made);
            site = other == null ? made : other;
        }
        return site;
    }

    /** Whether an advice may begin: not if this thread is in one already. {@link #exit} must follow then. */
    public static boolean enter() {
        boolean[] running = RUNNING.get();
        if (running[0]) {
            return false;
        }
        running[0] = true;
        return true;
    }

    public static void exit() {
        RUNNING.get()[0] = false;
    }
}
