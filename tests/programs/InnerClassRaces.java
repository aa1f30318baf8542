import java.util.function.IntSupplier;

/** Inner, local and anonymous classes: javac stores this$0 and captured values before super(); what they lead to races. */
public class InnerClassRaces {
    int outerField;

    abstract class Base {
        int seen;

        Base() {
            seen = call(); // expect race[eraser]: seen
        }

        abstract int call();
    }

    class Inner extends Base {
        class Deep {
            void touch() {
                outerField++; // expect race: outerField
                seen++; // expect race: seen
            }
        }

        @Override
        int call() {
            return outerField++; // expect race: outerField
        }
    }

    IntSupplier local(int captured, String name) {
        class Local extends Base implements IntSupplier {
            @Override
            int call() {
                outerField += captured; // expect race: outerField
                return name.length();
            }

            @Override
            public int getAsInt() {
                return seen + captured;
            }
        }
        return new Local();
    }

    public static void main(String[] args) {
        InnerClassRaces o = new InnerClassRaces();
        Inner shared = o.new Inner(); // its constructor runs here, before any thread: handed over
        Inner.Deep deep = shared.new Deep();
        Runnable task = () -> {
            deep.touch();
            System.out.println(o.new Inner().seen + " " + o.local(10, "four").getAsInt());
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
