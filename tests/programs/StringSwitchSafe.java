// expect none
/** Locks inside the branches of a switch, on whose value the result depends. */
public class StringSwitchSafe {
    private int count;

    int touch(String word) {
        switch (word) {
            case "Aa":
                synchronized (this) {
                    return ++count;
                }
            case "BB":
                synchronized (this) {
                    count += 2;
                }
                break;
            default:
                synchronized (this) {
                    count = switch (count % 3) {
                        case 0 -> count + 1;
                        case 1 -> {
                            count++;
                            yield count * 2;
                        }
                        default -> count - 1;
                    };
                }
        }
        synchronized (this) {
            return count;
        }
    }

    public static void main(String[] args) {
        StringSwitchSafe o = new StringSwitchSafe();
        Runnable task = () -> {
            for (String word : new String[] {"Aa", "BB", "long", "none"}) {
                System.out.println(o.touch(word));
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
