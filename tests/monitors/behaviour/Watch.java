package behaviour;

import racewire.api.After;
import racewire.api.AfterReturning;
import racewire.api.AfterThrowing;
import racewire.api.Before;
import racewire.api.Pointcut;
import racewire.api.Site;

/** Advice of every kind at join points of every kind. What it sees goes to {@link Log}. */
class Watch {
    @Pointcut("within(program..*)")
    static void scope() { }

    @Before("call(* program.Parts.add(..)) && args(a, b) && target(t) && scope()")
    static void beforeAdd(int a, long b, Object t, Site site) {
        Log.add("before add " + a + " " + b + " " + t + " " + site.kind() + " in " + site.method());
    }

    @AfterReturning(value = "call(* program.Parts.add(..)) && scope()", returning = "sum")
    static void added(Object sum) {
        Log.add("added " + sum);
    }

    @After("call(* program.Parts.fail(..)) && args(x) && scope()")
    static void afterFail(Object x) {
        Log.add("after fail " + x);
    }

    @AfterThrowing(value = "call(* program.Parts.fail(..)) && scope()", throwing = "e")
    static void failed(IllegalStateException e) {
        Log.add("failed " + e.getMessage());
    }

    @Before("execution(program.Parts.new(..)) && args(name) && this(p)")
    static void constructed(Object p, String name) {
        Log.add("constructing " + name + " " + (p != null));
    }

    @After("execution(program.Parts.new(..)) && this(p)")
    static void made(Object p) {
        Log.add("made " + p);
    }

    @Before("execution(* program.Parts.twice(..)) && args(d)")
    static void beforeTwice(double d) {
        Log.add("twice of " + d);
    }

    @AfterReturning(value = "execution(* program.Parts.twice(..)) && args(d)", returning = "r")
    static void afterTwice(double r, double d) {
        Log.add("twice was " + r + " of " + d);
    }

    @AfterThrowing("execution(static * program.Parts.thrower(..))")
    static void thrower() {
        Log.add("thrower threw");
    }

    @Before("set(* program.Parts.*) && target(o) && args(v)")
    static void set(Object o, Object v, Site site) {
        Log.add("set " + site.name() + " = " + v + " of " + (o != null));
    }

    @AfterReturning(value = "get(long program.Parts.wide)", returning = "v")
    static void got(long v) {
        Log.add("got " + v);
    }

    /** Only the type at run time can tell. */
    @Before("call(* program.Parts.give(..)) && args(s)")
    static void text(String s) {
        Log.add("text " + s);
    }

    @Before("call(* program.Parts.give(..)) && !args(String) && args(o)")
    static void noText(Object o) {
        Log.add("no text " + o);
    }

    @Before("call(* *.iface()) && this(t) && target(x) && scope()")
    static void iface(Object t, Object x) {
        Log.add("iface " + (t == x));
    }

    @Before("call(program.Parts.new(..)) && args(s)")
    static void making(String s, Site site) {
        Log.add("making " + s + " " + site.kind() + " " + site.owner());
    }

    @Before("lock() && args(l) && scope()")
    static void locking(Object l) {
        Log.add("lock " + Log.name(l) + " " + Thread.holdsLock(l));
    }

    @After("lock() && args(l) && scope()")
    static void locked(Object l) {
        Log.add("locked " + Thread.holdsLock(l));
    }

    @Before("unlock() && args(l) && scope()")
    static void unlocking(Object l, Site site) {
        Log.add("unlock " + Thread.holdsLock(l) + " in " + site.method());
        if (Log.throwAtUnlock) {
            throw new UnsupportedOperationException("at unlock");
        }
    }

    @After("unlock() && args(l) && scope()")
    static void unlocked(Object l) {
        Log.add("unlocked " + Thread.holdsLock(l));
    }

    @Before("call(* program.Parts.refused())")
    static void refuse() {
        throw new UnsupportedOperationException("refused");
    }

    /** Comes to woven code, whose advice must not run: this one would run for ever. */
    @Before("execution(String program.Parts.toString()) && this(p)")
    static void described(Object p) {
        Log.add("described as " + p);
    }

    @Before("@annotation(Deprecated) && execution(* *(..)) && scope()")
    static void old(Site site) {
        Log.add("old " + site.name());
    }
}
