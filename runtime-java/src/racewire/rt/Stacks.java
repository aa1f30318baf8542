package racewire.rt;

import java.util.ArrayList;
import java.util.List;

/** The current thread's stack as text, innermost frame first, without the frames that Racewire itself added. */
final class Stacks {
    static final String[] NONE = {};

    /** Enough for any cause to be seen; a runaway recursion must not make each finding megabytes long. */
    private static final int MAX_FRAMES = 128;

    private Stacks() { }

    static String[] capture() {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (isOurs(frame)) {
                continue;
            }
            frames.add(text(frame));
            if (frames.size() == MAX_FRAMES) {
                break;
            }
        }
        return frames.toArray(NONE);
    }

    private static boolean isOurs(StackTraceElement frame) {
        return frame.getClassName().startsWith(Names.RUNTIME_PACKAGE) || frame.getMethodName().startsWith(Names.PREFIX);
    }

    /** As {@code StackTraceElement.toString} was before it gained loader and module names (JDK 9). */
    private static String text(StackTraceElement f) {
        String place = f.isNativeMethod() ? "Native Method"
                : f.getFileName() == null ? "Unknown Source"
                : f.getLineNumber() < 0 ? f.getFileName() : f.getFileName() + ":" + f.getLineNumber();
        return f.getClassName() + "." + f.getMethodName() + "(" + place + ")";
    }
}
