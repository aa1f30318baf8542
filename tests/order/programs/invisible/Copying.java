package invisible;

/** Makes copies where no woven code sees it. */
public final class Copying {
    private Copying() {}

    /** What can be copied so. */
    public abstract static class Copyable implements Cloneable {
        public final Object copied() throws CloneNotSupportedException {
            return clone();
        }
    }
}
