// since 21
// expect race prog.Cell.total
package prog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Hooks;

/** Virtual threads are threads: thousands of them, on few carriers, each with its own state. */
public class VirtualThreads {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        ReentrantLock lock = new ReentrantLock();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            Cell own = new Cell();
            own.add();
            Thread t = Thread.ofVirtual().unstarted(() -> {
                own.add();
                Hooks.lock(lock);
                Thread.yield();
                cell.add();
                Hooks.unlock(lock);
                own.add();
            });
            threads.add(t);
            Hooks.start(t);
        }
        for (Thread t : threads) {
            Hooks.join(t);
        }
        Check.equal(5000, cell.value);
        Thread a = Thread.ofVirtual().name("first").unstarted(Cell::addTotal);
        Hooks.start(a);
        a.join();
        Thread b = Thread.ofVirtual().name("second").unstarted(Cell::addTotal);
        Hooks.start(b);
        b.join();
        System.out.println("ok");
    }
}
