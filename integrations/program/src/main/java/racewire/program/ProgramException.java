package racewire.program;

/** The racewire program cannot be had, or did not do what it was asked: the message is for the user of the build. */
public final class ProgramException extends Exception {
    private static final long serialVersionUID = 1;

    ProgramException(String message) {
        super(message);
    }

    ProgramException(String message, Throwable cause) {
        super(message, cause);
    }
}
