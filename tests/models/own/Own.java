import java.util.ArrayList;
import java.util.List;
import lib.Mailbox;
import lib.SpinLock;

/** Uses a lock and a queue that only a file of models explains. */
public class Own {
    static int count;

    static void two(Runnable one, Runnable other) throws Exception {
        Thread a = new Thread(one);
        Thread b = new Thread(other);
        a.start();
        b.start();
        a.join();
        b.join();
    }

    public static void main(String[] args) throws Exception {
        SpinLock lock = new SpinLock();
        Runnable counting = () -> {
            for (int i = 0; i < 1000; i++) {
                lock.enter();
                count++;
                lock.exit();
                if (lock.attempt()) {
                    count++;
                    lock.exit();
                }
            }
        };
        two(counting, counting);
        Mailbox<List<Integer>> box = new Mailbox<>();
        two(() -> {
            List<Integer> list = new ArrayList<>();
            list.add(1);
            box.send(list);
        }, () -> box.receive().add(2));
    }
}
