package racewire.rt;

/**
 * Raw memory: plain reads and compare-and-set on words, reads of a few private JDK fields. There is one
 * instance per process, in a {@code static final}, so that the JIT knows its class and inlines through it;
 * which class depends on the JDK: {@link MemInternal} from 9 on, {@link MemSun} on 8.
 */
final class Mem {
    /** Chosen by {@link Monitoring}; null if monitoring is off. */
    static final RawMemory M = Monitoring.memory();

    private Mem() { }

    /** The address of so many longs, all 0: {@link Native#table}. */
    static long table(int longs) {
        long address = Native.table(longs);
        if (address == 0) {
            throw new OutOfMemoryError();
        }
        return address;
    }

    /** Offset of a private instance field of a JDK class, or -1 if this JDK has no such field. */
    static long privateOffset(String className, String field, String descriptor) {
        try {
            return M == null ? -1 : M.offset(Class.forName(className), field, descriptor);
        } catch (ClassNotFoundException | LinkageError absent) {
            return -1;
        }
    }
}
