import java.util.ArrayList;
import java.util.List;

/** Figure 10 of the paper: this leaks from the constructor, to a thread it starts and to a listener list. */
public class StartedInConstructor {
    static final List<Starter> LISTENERS = new ArrayList<>();

    static class Starter {
        int early;
        int late;
        int listened;

        Starter() throws InterruptedException {
            early = 1;
            LISTENERS.add(this);
            Thread thread = new Thread(() -> early++); // shared: early
            thread.start();
            Thread other = new Thread(() -> {
                for (Starter starter : LISTENERS) {
                    starter.listened++; // shared: listened
                    starter.late++; // shared: late
                }
            });
            other.start();
            thread.join();
            other.join();
            listened++; // shared: listened
            late = 5; // shared: late
        }
    }

    /** Its constructor calls a method on this, too, but one that keeps it. */
    static class Kept {
        int counted;

        Kept() {
            counted = 1; // local: counted
            init();
            counted++; // local: counted
        }

        void init() {
            counted++; // local: counted
        }
    }

    public static void main(String[] args) throws Exception {
        Starter starter = new Starter();
        Kept kept = new Kept();
        System.out.println(starter.early + starter.late + starter.listened); // shared: early, late, listened
        System.out.println(kept.counted); // local: counted
    }
}
