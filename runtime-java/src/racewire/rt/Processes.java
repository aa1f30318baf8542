package racewire.rt;

/** Processes of the system, by their objects and handles: who ends one comes before who finds that it has ended. */
public final class Processes {
    private Processes() { }

    /** {@code handle} is another name of {@code process}. */
    public static void handle(Object handle, Object process) {
        Sync.partOf(handle, process);
    }

    /** Before the process is told to end. */
    public static void ending(Object process) {
        Sync.release(Sync.whole(process));
    }

    /** It was found to have ended. */
    public static void ended(Object process) {
        Sync.acquire(Sync.whole(process));
    }

    /** {@code future} is done when it has. */
    public static void exit(Object future, Object process) {
        Tasks.derive(future, Sync.whole(process));
    }
}
