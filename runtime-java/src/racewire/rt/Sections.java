package racewire.rt;

/**
 * Whether critical sections are looked into, for high-level data races: each access under a lock takes the slow path and
 * leaves its site with the locks that are held ({@link ThreadState#touch}); when a lock is given back, the library is told
 * of what was touched under it, unless it knows.
 */
final class Sections {
    static final boolean ON = !Monitoring.SHARING && Options.detects("views");

    /** Nobody else looks at accesses. */
    static final boolean ALONE = ON && Options.accessDetector().equals("views");

    private Sections() { }
}
