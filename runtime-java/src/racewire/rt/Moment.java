package racewire.rt;

/** A {@link Past} of a run that is recorded: the trace knows it by a number. */
final class Moment extends Past {
    private final long number;

    Moment(int slot, long time, long[] full, long[] hard, int locks, long number) {
        super(slot, time, full, hard, locks);
        this.number = number;
    }

    @Override
    long moment() {
        return number;
    }
}
