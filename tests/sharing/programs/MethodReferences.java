import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Bound, unbound, static and constructor references that run in another thread; one bound reference runs in main. */
public class MethodReferences {
    static MethodReferences last;
    static int made;
    int bound;
    int unbound;
    int viaStatic;
    int quiet;

    MethodReferences() {
        made++; // shared: made
        last = this; // shared: last
    }

    MethodReferences(int dummy) {
        quiet = dummy; // local: quiet
    }

    void bump() {
        bound++; // shared: bound
    }

    void bumpToo() {
        unbound++; // shared: unbound
    }

    static void bumpStatic(MethodReferences it) {
        it.viaStatic++; // shared: viaStatic
    }

    void hush() {
        quiet++; // local: quiet
    }

    static <T> Runnable on(T argument, Consumer<T> action) {
        return () -> action.accept(argument);
    }

    public static void main(String[] args) throws Exception {
        Function<Integer, MethodReferences> withInt = MethodReferences::new;
        MethodReferences silent = withInt.apply(3);
        Runnable hush = silent::hush;
        hush.run();
        Supplier<MethodReferences> make = MethodReferences::new;
        MethodReferences one = make.get();
        inThread(one::bump);
        inThread(on(one, MethodReferences::bumpToo));
        inThread(on(one, MethodReferences::bumpStatic));
        inThread(MethodReferences::new);
        one.bound++; // shared: bound
        one.unbound++; // shared: unbound
        one.viaStatic++; // shared: viaStatic
        last.bound++; // shared: last
        System.out.println(one.bound + one.unbound + one.viaStatic); // shared: bound, unbound, viaStatic
        System.out.println(silent.quiet + made); // shared: made; local: quiet
    }

    /** Runs the task in a thread of its own and waits for its end. */
    static void inThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
