/** A copy is a new object, but the original and what both refer to are not. */
public class CloneRaces implements Cloneable {
    static class Part {
        int value;
    }

    int own;
    final Part part = new Part();

    @Override
    public CloneRaces clone() {
        try {
            return (CloneRaces) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        CloneRaces original = new CloneRaces();
        Runnable task = () -> {
            CloneRaces copy = original.clone();
            copy.own++;
            copy.part.value++; // expect race: value
            original.own++; // expect race: own
            System.out.println(copy.own);
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
