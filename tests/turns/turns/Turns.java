package turns;

import java.util.HashMap;
import java.util.Map;
import racewire.api.After;

/**
 * A monitor that makes threads take turns: whoever has given a lock back waits until another thread has done so too, or
 * until no other can go on. So what may happen between two critical sections does happen.
 */
public class Turns {
    private static final Object TURN = new Object();
    /** Who waits, and since which turn. */
    private static final Map<Thread, Long> WAITING = new HashMap<>();
    private static long turn;

    /** What the other threads do: one runs, one stands and may go on by itself, or none can. */
    private static final int RUN = 0;
    private static final int STAND = 1;
    private static final int ENDED = 2;
    /** So often they are seen standing before it is taken for sure. */
    private static final int LONG = 20;

    @After("unlock()")
    static void given() {
        Thread me = Thread.currentThread();
        synchronized (TURN) {
            long mine = ++turn;
            WAITING.put(me, mine);
            TURN.notifyAll();
            int quiet = 0;
            for (int others = others(me); turn == mine && others != ENDED && quiet < LONG; others = others(me)) {
                quiet = others == RUN ? 0 : quiet + 1;
                try {
                    TURN.wait(1);
                } catch (InterruptedException e) {
                    me.interrupt();
                    break;
                }
            }
            WAITING.remove(me);
        }
    }

    private static int others(Thread me) {
        Thread[] all = new Thread[64];
        int count = me.getThreadGroup().enumerate(all);
        int found = ENDED;
        for (int i = 0; i < count; i++) {
            if (all[i] == me) {
                continue;
            }
            Long since = WAITING.get(all[i]);
            Thread.State state = all[i].getState();
            if (since == null ? state == Thread.State.RUNNABLE : since != turn) {
                return RUN;
            }
            if (since == null && (state == Thread.State.BLOCKED || state == Thread.State.TIMED_WAITING)) {
                found = STAND;
            }
        }
        return found;
    }
}
