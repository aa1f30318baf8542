package racewire.junit;

import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Tells the runtime which test runs. Found by itself on the JUnit Platform (JUnit 5 and 6, and every engine there:
 * Vintage for JUnit 4, Spock, Cucumber, …).
 */
public final class PlatformListener implements TestExecutionListener {
    @Override
    public void executionStarted(TestIdentifier test) {
        String name = name(test);
        if (name != null) {
            Racewire.begin(name);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String name = name(test);
        if (name != null) {
            Racewire.end(name);
        }
    }

    /** Tests, and the classes around them; engines and suites have no name of their own. */
    private static String name(TestIdentifier test) {
        Optional<TestSource> source = test.getSource();
        if (source.isPresent() && source.get() instanceof MethodSource) {
            MethodSource method = (MethodSource) source.get();
            return TestNames.of(method.getClassName(), method.getMethodName(), test.getUniqueId());
        }
        if (source.isPresent() && source.get() instanceof ClassSource) {
            return ((ClassSource) source.get()).getClassName();
        }
        return test.isTest() ? test.getDisplayName() : null;
    }
}
