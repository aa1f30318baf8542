package racewire.rt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The current thread's stack as text, innermost frame first, without the frames that Racewire itself added. */
final class Stacks {
    static final String[] NONE = {};

    /** Enough for any cause to be seen; a runaway recursion must not make each finding megabytes long. */
    private static final int MAX_FRAMES = 128;

    private Stacks() { }

    static String[] capture() {
        return text(new Throwable().getStackTrace());
    }

    static String[] text(StackTraceElement[] stack) {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : stack) {
            if (isNotTheirs(frame)) {
                continue;
            }
            frames.add(text(frame));
            if (frames.size() == MAX_FRAMES) {
                break;
            }
        }
        return frames.toArray(NONE);
    }

    /** The stack of a thread that a hook keeps waiting, from the hook's caller on. */
    static String[] outsideHook(StackTraceElement[] stack) {
        int at = 0;
        while (at < stack.length && !stack[at].getClassName().startsWith(Names.RUNTIME_PACKAGE)) {
            at++;
        }
        return text(Arrays.copyOfRange(stack, at == stack.length ? 0 : at, stack.length));
    }

    /** The current thread's stack from the innermost frame of this method on, as if it were at this line. */
    static String[] from(String type, String method, String line) {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        for (int at = 0; at < stack.length; at++) {
            StackTraceElement f = stack[at];
            if (f.getClassName().equals(type) && f.getMethodName().equals(method)) {
                StackTraceElement[] outer = Arrays.copyOfRange(stack, at, stack.length);
                outer[0] = new StackTraceElement(type, method, f.getFileName(), Integer.parseInt(line));
                return text(outer);
            }
        }
        return NONE;
    }

    private static boolean isNotTheirs(StackTraceElement frame) {
        String name = frame.getClassName();
        // A hidden class has a slash in its name (a lambda's, say): stacks of other threads show those, one's own do not.
        return name.startsWith(Names.RUNTIME_PACKAGE) || frame.getMethodName().startsWith(Names.PREFIX)
                || name.indexOf('/') >= 0;
    }

    /** As {@code StackTraceElement.toString} was before it gained loader and module names (JDK 9). */
    private static String text(StackTraceElement f) {
        String place = f.isNativeMethod() ? "Native Method"
                : f.getFileName() == null ? "Unknown Source"
                : f.getLineNumber() < 0 ? f.getFileName() : f.getFileName() + ":" + f.getLineNumber();
        return f.getClassName() + "." + f.getMethodName() + "(" + place + ")";
    }
}
