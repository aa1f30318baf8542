import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.SynchronousQueue;

/** Hand-over through concurrent queues, a concurrent map and an Exchanger; one queue never leaves main. */
public class ConcurrentQueues {
    static class Cell {
        int linked;
        int blocking;
        int synchronous;
        int mapped;
        int exchanged;
    }

    static class Worker extends Thread {
        final ConcurrentLinkedQueue<Cell> lockFree = new ConcurrentLinkedQueue<>();
        final BlockingQueue<Cell> queue = new ArrayBlockingQueue<>(2);
        final BlockingQueue<Cell> handOff = new SynchronousQueue<>();
        final ConcurrentHashMap<Integer, Cell> map = new ConcurrentHashMap<>();
        final Exchanger<Cell> exchanger = new Exchanger<>();

        @Override
        public void run() {
            try {
                queue.take().blocking++; // shared: blocking
                lockFree.poll().linked++; // shared: linked
                handOff.take().synchronous++; // shared: synchronous
                map.get(1).mapped++; // shared: mapped
                exchanger.exchange(new Cell()).exchanged++; // shared: exchanged
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        Cell cell = new Cell();
        cell.linked = cell.blocking = 1; // shared: linked, blocking
        cell.synchronous = cell.mapped = 1; // shared: synchronous, mapped
        cell.exchanged = 1; // shared: exchanged
        worker.lockFree.add(cell);
        worker.map.put(1, cell);
        worker.start();
        worker.queue.put(cell);
        worker.handOff.put(cell);
        Cell got = worker.exchanger.exchange(cell);
        worker.join();
        got.exchanged = cell.linked + cell.blocking; // shared: linked, blocking
        BlockingQueue<Cell> own = new ArrayBlockingQueue<>(1);
        own.put(new Cell());
        own.peek().linked++; // local: linked
        System.out.println(own.take().linked); // local: linked
    }
}
