import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;

/** A barrier's action and Phaser.onAdvance run in whichever thread arrives last. */
public class BarrierActions {
    static class Cell {
        int barrier;
        int stage;
    }

    static class Phases extends Phaser {
        int advanced;

        Phases() {
            super(1);
        }

        @Override
        protected boolean onAdvance(int phase, int parties) {
            advanced++; // shared: advanced
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        cell.barrier = 1; // shared: barrier
        CyclicBarrier barrier = new CyclicBarrier(2, () -> cell.barrier++); // shared: barrier
        Phases phases = new Phases();
        Thread thread = new Thread(() -> {
            try {
                while (barrier.getNumberWaiting() == 0) {
                    Thread.yield();
                }
                barrier.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            phases.arrive();
        });
        thread.start();
        barrier.await();
        thread.join();
        phases.arrive();
        Cell own = new Cell();
        own.stage++; // local: stage
        System.out.println(cell.barrier + phases.advanced); // shared: barrier, advanced
        System.out.println(own.stage); // local: stage
    }
}
