package racer;

/** A stretch in the life of a thread, between two starts of other threads (section 4.6 of the paper). */
final class Period {
    final ThreadLife life;
    final int number;

    Period(ThreadLife life, int number) {
        this.life = life;
        this.number = number;
    }

    /** Whether who is in this period sees what was done in the other one: by program order and by thread start. */
    boolean sees(Period older) {
        for (Period at = this; at != null; at = at.life.startedIn) {
            if (at.life == older.life) {
                return at.number >= older.number;
            }
        }
        return false;
    }

    /** A thread: where it was started, and how many threads it has started. */
    static final class ThreadLife {
        /** Null for main, and for threads whose start nobody saw. */
        final Period startedIn;
        private int started;

        ThreadLife(Period startedIn) {
            this.startedIn = startedIn;
        }

        Period now() {
            return new Period(this, started);
        }

        void starts() {
            started++;
        }
    }
}
