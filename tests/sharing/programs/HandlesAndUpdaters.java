import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Objects that are published by a VarHandle, a field updater and a VarHandle of arrays, never by a putfield. */
public class HandlesAndUpdaters {
    static class Cell {
        int handled;
        int updated;
        int arrayed;
        int plain;
    }

    static class Slots {
        Cell handle;
        volatile Cell updater;
    }

    static final VarHandle HANDLE;
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Cell[].class);
    static final AtomicReferenceFieldUpdater<Slots, Cell> UPDATER =
            AtomicReferenceFieldUpdater.newUpdater(Slots.class, Cell.class, "updater");

    static {
        try {
            HANDLE = MethodHandles.lookup().findVarHandle(Slots.class, "handle", Cell.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Slots slots = new Slots();
        Cell[] array = new Cell[1];
        Cell a = new Cell();
        Cell b = new Cell();
        Cell c = new Cell();
        HANDLE.setVolatile(slots, a);
        UPDATER.set(slots, b);
        ELEMENT.compareAndSet(array, 0, null, c);
        Thread thread = new Thread(() -> {
            slots.handle.handled++; // shared: handle, handled
            slots.updater.updated++; // shared: updated
            array[0].arrayed++; // shared: arrayed
        });
        thread.start();
        thread.join();
        System.out.println(a.handled + b.updated + c.arrayed); // shared: handled, updated, arrayed
        Cell local = new Cell();
        local.plain++; // local: plain
        System.out.println(local.plain); // local: plain
    }
}
