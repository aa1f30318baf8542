package racewire.junit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The runtime of the woven program, by name: the same tests also run unwoven, without any runtime, and then nothing
 * is found.
 */
final class Racewire {
    /** Whether a test in which something was found is to fail. */
    static final boolean FAILS_TESTS = Boolean.getBoolean("racewire.junit.fail");

    private static final MethodHandle BEGIN = find("begin", MethodType.methodType(void.class, String.class));
    private static final MethodHandle END = find("end", MethodType.methodType(void.class, String.class));
    private static final MethodHandle TAKE = find("take", MethodType.methodType(String[].class, String.class));

    private Racewire() { }

    private static MethodHandle find(String name, MethodType type) {
        try {
            Class<?> findings = Class.forName("racewire.api.Findings", true, Racewire.class.getClassLoader());
            return MethodHandles.publicLookup().findStatic(findings, name, type);
        } catch (ReflectiveOperationException unwoven) {
            return null;
        }
    }

    static void begin(String test) {
        if (BEGIN != null) {
            try {
                BEGIN.invokeExact(test);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void end(String test) {
        if (END != null) {
            try {
                END.invokeExact(test);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** An error that tells what was found in the test, or null: nothing was, or tests are not to fail. */
    static AssertionError failure(String test) {
        String[] found = FAILS_TESTS ? take(test) : new String[0];
        return found.length == 0 ? null : error(found);
    }

    static String[] take(String test) {
        if (TAKE == null) {
            return new String[0];
        }
        try {
            return (String[]) TAKE.invokeExact(test);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Without a stack: where the test ended says nothing, the places are in the text. */
    static AssertionError error(String[] found) {
        String head = found.length == 1 ? "Racewire found a race" : "Racewire found " + found.length + " races";
        AssertionError error = new AssertionError(head + ": " + String.join("\n", found));
        error.setStackTrace(new StackTraceElement[0]);
        return error;
    }
}
