import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A volatile counter changed by an AtomicIntegerFieldUpdater in a thread, and plain state beside it. */
public class AtomicFieldUpdaters {
    static final AtomicIntegerFieldUpdater<AtomicFieldUpdaters> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(AtomicFieldUpdaters.class, "count");
    volatile int count;
    int beside;
    int ordinary;

    void step() {
        COUNT.incrementAndGet(this);
        beside++; // shared: beside
        COUNT.updateAndGet(this, old -> old + beside); // shared: beside
    }

    public static void main(String[] args) throws Exception {
        AtomicFieldUpdaters object = new AtomicFieldUpdaters();
        object.step();
        Thread thread = new Thread(object::step);
        thread.start();
        thread.join();
        System.out.println(object.count + object.beside); // shared: beside
        AtomicFieldUpdaters local = new AtomicFieldUpdaters();
        COUNT.incrementAndGet(local);
        local.ordinary = local.count; // local: ordinary
        System.out.println(local.ordinary); // local: ordinary
    }
}
