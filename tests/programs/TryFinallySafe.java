// expect none
/** Locks around and inside try/finally, try-with-resources, and returns overridden by finally. */
public class TryFinallySafe {
    private int count;

    final class Section implements AutoCloseable {
        Section() {
            synchronized (TryFinallySafe.this) {
                count++;
            }
        }

        @Override
        public void close() {
            synchronized (TryFinallySafe.this) {
                count--;
            }
        }
    }

    @SuppressWarnings("finally")
    int touch(int way) {
        try (Section one = new Section(); Section two = new Section()) {
            synchronized (this) {
                try {
                    if (way == 0) {
                        return count++;
                    }
                    if (way == 1) {
                        throw new IllegalStateException(String.valueOf(count++));
                    }
                    count++;
                } finally {
                    count++;
                    if (way == 2) {
                        return count;
                    }
                }
            }
        } catch (IllegalStateException e) {
            synchronized (this) {
                return -count;
            }
        } finally {
            synchronized (this) {
                count += 100;
            }
        }
        return 0;
    }

    public static void main(String[] args) {
        TryFinallySafe o = new TryFinallySafe();
        Runnable task = () -> {
            for (int way = 0; way < 4; way++) {
                System.out.println(o.touch(way));
            }
        };
        inTurn(task, task);
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
