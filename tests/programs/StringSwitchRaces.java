/** Switches: on strings (two switches in bytecode), sparse and dense integers, with fall-through. */
public class StringSwitchRaces {
    int count;
    long other;

    void touch(String word) {
        switch (word) {
            case "Aa":
                count++; // expect race: count
                // falls through
            case "BB": // same hash as "Aa"
                count += 2; // expect race: count
                break;
            case "long":
                other++; // expect race: other
                break;
            default:
                other += 2; // expect race: other
        }
        switch (word.length()) {
            case 2 -> count += 4; // expect race: count
            case 4 -> other += 4; // expect race: other
            case 1000000 -> other += 8;
            default -> {
            }
        }
    }

    public static void main(String[] args) {
        StringSwitchRaces o = new StringSwitchRaces();
        Runnable task = () -> {
            for (String word : new String[] {"Aa", "BB", "long", "none", "something else"}) {
                o.touch(word);
            }
        };
        inTurn(task, task);
        System.out.println("done");
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
