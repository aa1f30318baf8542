package racewire.rt;

/** Names that the weaver writes into class files; the same as in crate {@code model}, module {@code names}. */
final class Names {
    /** Every member the weaver adds to a class begins with this. */
    static final String PREFIX = "$racewire$";

    /** The runtime's own package, as it appears in stack frames. */
    static final String RUNTIME_PACKAGE = "racewire.rt.";

    /** Where the runtime jar keeps its native libraries, one folder per platform. */
    static final String NATIVE_DIR = "/META-INF/racewire/native/";

    private Names() { }

    /** The name of the state word that belongs to {@code field}. */
    static String wordOf(String field) {
        return PREFIX + field;
    }
}
