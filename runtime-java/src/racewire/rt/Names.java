package racewire.rt;

/** Names that the weaver writes into class files; the same as in crate {@code model}, module {@code names}. */
final class Names {
    /** Every member the weaver adds to a class begins with this. */
    static final String PREFIX = "$racewire$";

    /** The runtime's own package, as it appears in stack frames. */
    static final String RUNTIME_PACKAGE = "racewire.rt.";

    /** Where the runtime jar keeps its native libraries, one folder per platform. */
    static final String NATIVE_DIR = "/META-INF/racewire/native/";

    /** Where an object, or a class for its static fields, keeps the readers of its fields. */
    static final String READERS = PREFIX + "readers$";
    static final String STATIC_READERS = PREFIX + "static$readers$";
    static final String READERS_TYPE = "Ljava/lang/Object;";

    /** Where a class counts its objects whose constructors have set final fields. */
    static final String FREEZES = PREFIX + "freezes$";

    /** The one variable that a container of the JDK counts as. */
    static final String STATE = "(state)";

    /** The type of what belongs to a volatile field. */
    static final String SYNC_VAR = "Lracewire/rt/SyncVar;";

    /** The elements of an array, as a field of it. */
    static final String ELEMENTS = "[]";

    private Names() { }

    /** The name of the stamp of the last write to {@code field}. */
    static String writesOf(String field) {
        return PREFIX + "w$" + field;
    }

    /** The same for reads. */
    static String readsOf(String field) {
        return PREFIX + "r$" + field;
    }

    /** The name of the state word that belongs to {@code field}. */
    static String wordOf(String field) {
        return PREFIX + field;
    }
}
