package racewire.rt;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

/** One-line messages on the process's own stderr: {@code System.err} may be the program's code by now. */
final class Stderr {
    private Stderr() { }

    static void line(String message) {
        try {
            // Not closed: that would close the process's stderr.
            PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
            err.println("racewire: " + message.replace('\n', ' '));
        } catch (Throwable nowhereToSayIt) {
            // The program goes on.
        }
    }
}
