package order;

import invisible.Gate;
import invisible.Stage;
import java.util.concurrent.locks.ReentrantLock;

/** More threads at a time than clocks have room for: what those without a place hand on is known, and nobody else's. */
public final class Crowd {
    private static final int MANY = 16_500;

    static final class Total {
        int sum;
    }

    static final class Raced {
        int v;
    }

    private static void add(ReentrantLock lock, Total total) {
        lock.lock();
        try {
            total.sum++;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Total total = new Total();
        Total written = new Total();
        Raced raced = new Raced();
        ReentrantLock lock = new ReentrantLock();
        Gate all = new Gate(MANY + 4);
        Gate[] turns = {new Gate(1), new Gate(1), new Gate(1), new Gate(1), new Gate(1)};
        Stage first = new Stage();
        // Those that have a place race as ever, and are ordered as ever.
        Thread.startVirtualThread(() -> {
            raced.v = 1; // expect race
            first.reach(1);
            all.pass();
        });
        first.await(1);
        Thread.startVirtualThread(() -> {
            raced.v++; // expect race
            first.reach(2);
            all.pass();
        });
        first.await(2);
        Thread writer = Thread.startVirtualThread(() -> {
            all.pass();
            turns[2].pass();
            add(lock, written);
        });
        Stage readerStage = new Stage();
        Thread reader = Thread.startVirtualThread(() -> {
            all.pass();
            turns[1].pass();
            add(lock, total);
            readerStage.reach(1);
            turns[4].pass();
            add(lock, written);
        });
        Stage done = new Stage();
        for (int i = 0; i < MANY; i++) {
            Thread.startVirtualThread(() -> {
                int nth = all.pass();
                // The last two that came, before the gate was opened.
                if (nth == MANY + 2) {
                    turns[0].pass();
                    for (int n = 0; n < 9; n++) {
                        add(lock, total);
                    }
                    done.reach(1);
                } else if (nth == MANY + 3) {
                    turns[3].pass();
                    add(lock, total);
                    done.reach(2);
                }
            });
        }
        all.open();
        // One without a place, whom the reader comes to know; the writer; another one without a place: by that one alone the
        // reader knows the writer.
        turns[0].open();
        done.await(1);
        turns[1].open();
        readerStage.await(1);
        turns[2].open();
        Stage.ended(writer);
        turns[3].open();
        done.await(2);
        turns[4].open();
        Stage.ended(reader);
    }
}
