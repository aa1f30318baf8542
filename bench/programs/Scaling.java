/**
 * A fixed amount of work over a number of threads and of monitored objects: {@code Scaling <iterations> <threads>
 * <objects>}. Three operations out of four are on cells of the thread's own, without a lock; the fourth is on a cell
 * that all threads use, under one of a few locks. The threads live as long as the program, so that cells stay with
 * their owners.
 */
public final class Scaling {
    private static final int OPERATIONS = 20_000_000;
    private static final int LOCKS = 1024;

    static final class Cell {
        long total;
        int uses;
    }

    /** Guards the shared cells whose number leaves its own as remainder. */
    static final class Stripe {
        private long total;

        synchronized void add(Cell cell, long amount) {
            cell.total += amount;
            cell.uses++;
            total += amount;
        }

        synchronized long total() {
            return total;
        }
    }

    /** Starts an iteration in all threads and collects what they have found out. */
    static final class Crew {
        private int iteration;
        private int working;
        private boolean over;
        private long results;

        synchronized long iterate(int threads) throws InterruptedException {
            iteration++;
            working = threads;
            results = 0;
            notifyAll();
            while (working > 0) {
                wait();
            }
            return results;
        }

        /** The number of the next iteration, or -1. */
        synchronized int next(int done) throws InterruptedException {
            while (iteration == done && !over) {
                wait();
            }
            return over ? -1 : iteration;
        }

        synchronized void finished(long result) {
            results += result;
            working--;
            notifyAll();
        }

        synchronized void end() {
            over = true;
            notifyAll();
        }
    }

    final class Worker extends Thread {
        private final Cell[] own;
        private final int operations;
        private int state;

        Worker(int number, int objects, int operations) {
            this.own = cells(objects);
            this.operations = operations;
            state = number * 7919 + 1;
        }

        @Override
        public void run() {
            try {
                for (int i = crew.next(0); i > 0; i = crew.next(i)) {
                    crew.finished(work());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private long work() {
            long seen = 0;
            for (int i = 0; i < operations; i++) {
                state = state * 1664525 + 1013904223;
                int choice = state >>> 1;
                if ((i & 3) == 0) {
                    int index = choice % shared.length;
                    stripes[index % LOCKS].add(shared[index], i & 15);
                } else {
                    Cell cell = own[choice % own.length];
                    cell.total += i & 15;
                    cell.uses++;
                    seen += cell.total;
                }
            }
            return seen;
        }
    }

    private final Crew crew = new Crew();
    private final Stripe[] stripes = new Stripe[LOCKS];
    private final Cell[] shared;
    private final Worker[] workers;

    private Scaling(int threads, int objects) {
        for (int i = 0; i < LOCKS; i++) {
            stripes[i] = new Stripe();
        }
        shared = cells(objects / 2);
        workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker(i, Math.max(1, objects / 2 / threads), OPERATIONS / threads);
        }
    }

    private static Cell[] cells(int count) {
        Cell[] cells = new Cell[count];
        for (int i = 0; i < count; i++) {
            cells[i] = new Cell();
        }
        return cells;
    }

    private long iterate() throws InterruptedException {
        long sum = crew.iterate(workers.length);
        for (Stripe stripe : stripes) {
            sum = sum * 31 + stripe.total();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Scaling scaling = new Scaling(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        for (Worker worker : scaling.workers) {
            worker.start();
        }
        Iterations.run(args, scaling::iterate);
        scaling.crew.end();
    }
}
