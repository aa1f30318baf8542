package prog;

import java.util.concurrent.CountDownLatch;
import racewire.rt.Hooks;

/** Threads that override start, start twice, or start each other: who sees what. No race in any of it. */
public class Starts {
    /** The parent writes in the overriding start, before the real one: the child sees it. */
    static class Eager extends Thread {
        final Cell cell = new Cell();

        @Override
        public void start() {
            cell.add();
            Hooks.beforeStart(this);
            super.start();
        }

        @Override
        public void run() {
            cell.add();
        }

        /** Not to be called by the runtime. */
        @Override
        public long getId() {
            throw new AssertionError("getId");
        }
    }

    public static void main(String[] args) throws Exception {
        Eager eager = new Eager();
        Hooks.start(eager);
        Hooks.join(eager);
        Check.equal(2, eager.cell.value);

        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        Cell cell = new Cell();
        Cell late = new Cell();
        cell.add();
        Thread once = Check.thread("once", () -> {
            started.countDown();
            failed.await();
            cell.add();
        });
        Hooks.start(once);
        started.await();
        for (int i = 0; i < 2; i++) {
            try {
                Hooks.start(once);
                Check.that(false, "started twice");
            } catch (IllegalThreadStateException expected) {
                failed.countDown();
            }
            once.join();
        }
        late.add();
        Thread next = Check.thread("next", late::add);
        Hooks.start(next);
        next.join();
        System.out.println("ok");
    }
}
