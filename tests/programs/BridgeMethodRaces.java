import java.util.Comparator;
import java.util.function.Function;

/** Generic classes: bridge methods lead to the real one, a field of a type variable is one variable. */
public class BridgeMethodRaces {
    static class Box<T> {
        T content;

        void set(T value) {
            content = value; // expect race: content
        }

        T get() {
            return content; // expect race: content
        }
    }

    static class TextBox extends Box<String> {
        int sets;

        @Override
        void set(String value) {
            sets++; // expect race: sets
            super.set(value);
        }

        @Override
        String get() {
            return super.get() + sets; // expect race: sets
        }
    }

    static class ByCount implements Comparator<TextBox>, Function<TextBox, Integer> {
        @Override
        public int compare(TextBox a, TextBox b) {
            return a.sets - b.sets; // expect race: sets
        }

        @Override
        public Integer apply(TextBox box) {
            return box.sets++; // expect race: sets
        }
    }

    public static void main(String[] args) {
        TextBox box = new TextBox();
        Box<String> same = box;
        Runnable task = () -> {
            same.set("x");
            System.out.println(same.get());
            Function<TextBox, Integer> count = new ByCount();
            Comparator<TextBox> order = new ByCount();
            System.out.println(count.apply(box) + " " + order.compare(box, box));
        };
        inTurn(task, task);
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
