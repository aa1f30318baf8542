/** Threads started by the helper of another class, and anonymous ones: their starter goes on using what it gave them. */
public class StarterRaces {
    int value;

    static class Helper {
        static Thread launch(Thread thread) {
            thread.start();
            return thread;
        }
    }

    void touch() {
        value++; // expect race: value
    }

    public static void main(String[] args) {
        StarterRaces o = new StarterRaces();
        Thread helped = Helper.launch(new Thread(o::touch));
        o.touch();
        finish(helped);
        Thread anonymous = new Thread() {
            @Override
            public void run() {
                o.value += 10; // expect race: value
            }
        };
        anonymous.start();
        finish(anonymous);
        System.out.println("done");
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
