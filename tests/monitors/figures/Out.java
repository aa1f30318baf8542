package figures;

/** What the monitors see, one line for each event, in the order of the program's one thread. */
final class Out {
    private Out() { }

    static synchronized void print(String line) {
        System.out.println(line);
    }

    /** Class objects by their name, others by their class. */
    static String name(Object object) {
        return object instanceof Class ? ((Class<?>) object).getSimpleName() + ".class" : object.getClass().getSimpleName();
    }
}
