import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Class.forName, newInstance, Method.invoke (private, too), Field.set: code and accesses that no instruction names. */
public class Reflection {
    static class Hidden implements Runnable {
        static int made;
        int instance;
        int secretly;

        Hidden() {
            made++; // shared: made
        }

        @Override
        public void run() {
            instance++; // shared: instance
        }

        private void secret() {
            secretly++; // shared: secretly
            made++; // shared: made
        }
    }

    static class Target {
        Cell slot;
    }

    static class Cell {
        int value;
        int direct;
    }

    public static void main(String[] args) throws Exception {
        Class<?> type = Class.forName("Reflection$Hidden");
        Constructor<?> constructor = type.getDeclaredConstructor();
        Runnable hidden = (Runnable) constructor.newInstance();
        Method method = type.getDeclaredMethod("secret");
        method.setAccessible(true);
        Target target = new Target();
        Cell cell = new Cell();
        cell.value = 1; // shared: value
        Field field = Target.class.getDeclaredField("slot");
        field.set(target, cell);
        Thread running = new Thread(hidden);
        running.start();
        running.join();
        Thread invoking = new Thread(() -> {
            try {
                method.invoke(hidden);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
            target.slot.value++; // shared: slot, value
        });
        invoking.start();
        invoking.join();
        method.invoke(hidden);
        hidden.run();
        Cell plain = new Cell();
        plain.direct = cell.value; // shared: value; local: direct
        System.out.println(plain.direct); // local: direct
        System.out.println(Hidden.made); // shared: made
    }
}
