// No race. ERASER knows no hand-over: the marked lines are its false alarms.
/** Threads started by the helper of another class, by another thread, and anonymous ones: handed over each time. */
public class StarterSafe {
    int value;

    static class Helper {
        static Thread launch(Thread thread) {
            thread.start();
            return thread;
        }
    }

    void touch() {
        value++; // expect race[eraser]: value
        System.out.println(value); // expect race[eraser]: value
    }

    public static void main(String[] args) {
        StarterSafe one = new StarterSafe();
        one.touch();
        finish(Helper.launch(new Thread(one::touch)));

        StarterSafe two = new StarterSafe();
        two.touch();
        Thread anonymous = new Thread() {
            @Override
            public void run() {
                two.value += 10; // expect race[eraser]: value
            }
        };
        anonymous.start();
        finish(anonymous);

        StarterSafe three = new StarterSafe();
        three.touch();
        Thread inner = new Thread(three::touch);
        finish(Helper.launch(new Thread(() -> finish(Helper.launch(inner)))));
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
