/** try/finally: javac copies the finally block to every way out, so that one line has many sites. */
public class TryFinallyRaces {
    int entered;
    int left;
    int caught;

    int touch(int way) {
        for (int i = 0; ; i++) {
            try {
                entered++; // expect race: entered
                try {
                    switch (way) {
                        case 0:
                            return i;
                        case 1:
                            throw new IllegalArgumentException();
                        case 2:
                            if (i == 0) {
                                continue;
                            }
                            break;
                        default:
                            way /= i; // i is 0: the ArithmeticException is meant
                    }
                } catch (ArithmeticException e) {
                    caught++; // expect race: caught
                    return -1;
                } finally {
                    left++; // expect race: left
                }
                return i;
            } catch (IllegalArgumentException e) {
                caught += 2; // expect race: caught
                return -2;
            } finally {
                left += 10; // expect race: left
            }
        }
    }

    public static void main(String[] args) {
        TryFinallyRaces o = new TryFinallyRaces();
        Runnable task = () -> {
            StringBuilder ways = new StringBuilder();
            for (int way = 0; way < 4; way++) {
                ways.append(o.touch(way)).append(' ');
            }
            System.out.println(ways);
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
