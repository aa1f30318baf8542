import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

// expect none
/** A deserialised copy has no past. Classes without serialVersionUID keep the one they would have had, and their form. */
public class SerializedSafe {
    interface Named {
        String name();
    }

    static class Item implements Serializable, Named {
        int value;
        protected long wide = 2;
        private String text = "x";
        transient int cached;
        static int made;
        static final Object LOCK = new Object();

        Item() {
            made++;
        }

        @Override
        public synchronized String name() {
            Runnable touch = () -> text += value;
            touch.run();
            return text;
        }
    }

    static class Special extends Item {
        private double rate = 0.5;
        final int[] numbers = {1, 2};

        private synchronized void touch() {
            rate++;
        }
    }

    static byte[] write(Object item) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(item);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) {
        try {
            return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        Special shared = new Special();
        Runnable task = () -> {
            byte[] bytes;
            synchronized (shared) {
                shared.value++;
                shared.touch();
                bytes = write(shared);
            }
            Special copy = (Special) read(bytes);
            copy.value += 10;
            copy.cached++;
            copy.rate++;
            System.out.println(copy.value + " " + copy.rate + " " + copy.wide + " " + ((Item) copy).text + " " + bytes.length);
        };
        inTurn(task, task, task);
        for (Class<?> type : new Class<?>[] {Item.class, Special.class}) {
            ObjectStreamClass form = ObjectStreamClass.lookup(type);
            System.out.println(form.getSerialVersionUID() + " " + form.getFields().length);
        }
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
