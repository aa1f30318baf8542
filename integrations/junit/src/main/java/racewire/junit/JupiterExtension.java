package racewire.junit;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test in which something was found, if {@code racewire.junit.fail} says so: a listener can only look on.
 * Found by itself where {@code junit.jupiter.extensions.autodetection.enabled} is set.
 */
public final class JupiterExtension implements AfterEachCallback, AfterAllCallback {
    @Override
    public void afterEach(ExtensionContext context) {
        String test = TestNames.of(context.getRequiredTestClass().getName(),
                context.getRequiredTestMethod().getName(), context.getUniqueId());
        failIfFound(test);
    }

    /** What was found outside of the tests, say in {@code @BeforeAll}. */
    @Override
    public void afterAll(ExtensionContext context) {
        failIfFound(context.getRequiredTestClass().getName());
    }

    private static void failIfFound(String test) {
        AssertionError failure = Racewire.failure(test);
        if (failure != null) {
            throw failure;
        }
    }
}
