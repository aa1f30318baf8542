package racewire.junit;

import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * Fails a JUnit 4 test in which something was found; a listener of JUnit 4 cannot. Wanted in the class:
 * {@code @Rule public RacewireRule racewire = new RacewireRule();}
 */
public final class RacewireRule implements TestRule {
    @Override
    public Statement apply(Statement test, Description description) {
        return new Statement() {
            @Override
            public void evaluate() throws Throwable {
                String name = JUnit4Listener.name(description);
                // Nested where the listener runs too.
                Racewire.begin(name);
                try {
                    test.evaluate();
                } finally {
                    Racewire.end(name);
                }
                String[] found = Racewire.take(name);
                if (found.length > 0) {
                    throw Racewire.error(found);
                }
            }
        };
    }
}
