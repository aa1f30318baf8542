package racewire.junit;

import org.junit.runner.Description;
import org.junit.runner.notification.RunListener;

/** Tells the runtime which test runs, for JUnit 4 without the JUnit Platform: a {@code listener} of Surefire. */
@RunListener.ThreadSafe
public final class JUnit4Listener extends RunListener {
    @Override
    public void testStarted(Description test) {
        Racewire.begin(name(test));
    }

    @Override
    public void testFinished(Description test) {
        Racewire.end(name(test));
    }

    static String name(Description test) {
        return test.getMethodName() == null ? test.getClassName() : test.getClassName() + "." + test.getMethodName();
    }
}
