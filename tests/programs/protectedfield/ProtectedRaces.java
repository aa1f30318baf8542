package protectedfield;

import protectedfield.base.Base;

/** Protected fields inherited from another package, two of them from a class that is not accessible here. */
public class ProtectedRaces extends Base {
    void touch() {
        count++; // expect race: count
        total += 2; // expect race: total
        text = text + "x"; // expect race: text
        this.open++; // expect race: open
        super.half += 0.5; // expect race: half
        Runnable inner = () -> count++; // expect race: count
        inner.run();
    }

    public static void main(String[] args) {
        ProtectedRaces o = new ProtectedRaces();
        inTurn(o::touch, o::touch, () -> {
            System.out.println(o.count + " " + total + " " + o.text + " " + o.open + " " + o.half); // expect race
        });
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
