package racewire.rt;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;

/** Barriers: who arrives comes before whoever passes, in the same phase. */
public final class Barriers {
    private Barriers() { }

    // ---- Phaser

    /** Before a party arrives: until it has, the phase cannot go on. */
    public static Object arrive(Object phaser) {
        if (!Order.ON || phaser == null) {
            return null;
        }
        Object phase = Indexed.key(((Phaser) phaser).getPhase());
        Sync.put(phaser, phase);
        return phase;
    }

    /** After a party has waited for the phase of its arrival to end. */
    public static void advanced(Object phaser, Object phase) {
        if (Order.ON && phase != null) {
            Sync.take(phaser, phase);
        }
    }

    /** The same for who waits for a given phase. */
    public static void advanced(Object phaser, int phase) {
        if (Order.ON) {
            Sync.take(phaser, Indexed.key(phase));
        }
    }

    /** What a phaser of the program does when all have arrived: after them, and before any goes on. */
    public static void begin(Object phaser) {
        if (Order.ON) {
            Sync.take(phaser, Indexed.key(((Phaser) phaser).getPhase()));
        }
    }

    public static void end(Object phaser) {
        if (Order.ON) {
            Sync.put(phaser, Indexed.key(((Phaser) phaser).getPhase()));
        }
    }

    /** Before a phaser is ended: that goes for all phases. */
    public static void terminate(Object phaser) {
        if (Order.ON && phaser != null) {
            Sync.put(phaser, Indexed.key(((Phaser) phaser).getPhase()));
        }
    }

    // ---- CyclicBarrier

    /** One round of a barrier. Rounds are told apart as long as no more threads come than there are parties. */
    private static final class Round {
        private final SyncVar arrived = new SyncVar();
        private int count;
    }

    /** What is known of a barrier. */
    static final class Rounds {
        private final SyncVar any;
        private final Set<Integer> threads = new HashSet<>();
        private Round current = new Round();
        private boolean mixed;
        /** What the last to arrive runs. */
        private volatile Handover action;

        Rounds(SyncVar any) {
            this.any = any;
        }

        synchronized Object arrive(int parties) {
            any.release();
            mixed |= threads.add(ThreadTable.current().clock.slot) && threads.size() > parties;
            Round round = current;
            round.arrived.release();
            round.count++;
            if (round.count == parties) {
                current = new Round();
            }
            return round;
        }

        synchronized void reset() {
            current = new Round();
        }

        void pass(Round round) {
            boolean exact;
            synchronized (this) {
                exact = !mixed;
            }
            (exact ? round.arrived : any).acquire();
            Handover ran = action;
            if (ran != null) {
                ran.acquire();
            }
        }
    }

    public static Object await(Object barrier) {
        if (!Order.ON || barrier == null) {
            return null;
        }
        try {
            return rounds(barrier).arrive(((CyclicBarrier) barrier).getParties());
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    public static void passed(Object barrier, Object round) {
        if (round != null) {
            try {
                rounds(barrier).pass((Round) round);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** Somebody gave up: the barrier is broken, and whoever comes after it was reset comes to another round. */
    public static void gaveUp(Object barrier, Object round) {
        if (round != null) {
            reset(barrier);
        }
    }

    /** The barrier was made with this action: it runs when all have arrived, and before any passes. */
    public static void action(Object barrier, Object token, Object action) {
        if (token != null) {
            try {
                Handover handover = (Handover) token;
                handover.after(barrier);
                rounds(barrier).action = handover;
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** The barrier begins anew: by hand, or because somebody gave up. */
    public static void reset(Object barrier) {
        if (Order.ON && barrier != null) {
            try {
                rounds(barrier).reset();
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    private static Rounds rounds(Object barrier) {
        SyncRef ref = ThreadTable.current().sync(barrier);
        synchronized (ref) {
            if (ref.rounds == null) {
                ref.rounds = new Rounds(ref.var());
            }
            return ref.rounds;
        }
    }
}
