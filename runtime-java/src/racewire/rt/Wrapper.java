package racewire.rt;

/** Runs a lambda in its place, and tells when it begins and ends. Two of one lambda are equal, as it is to itself. */
abstract class Wrapper {
    final Handover handover;
    private final Object lambda;

    Wrapper(Object lambda, Handover handover) {
        this.lambda = lambda;
        this.handover = handover;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Wrapper && ((Wrapper) other).lambda == lambda;
    }

    @Override
    public final int hashCode() {
        return System.identityHashCode(lambda);
    }

    @Override
    public final String toString() {
        return lambda.toString();
    }
}
