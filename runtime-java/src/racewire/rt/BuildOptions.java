package racewire.rt;

/**
 * Properties of the build plugins and of the listeners of test frameworks, with default and help text. The runtime
 * only lets them pass: Maven hands every {@code -D} on to the JVMs of the tests.
 */
enum BuildOptions {
    SKIP("skip", "false", "the build is as without Racewire"),
    EXECUTABLE("executable", "", "the racewire program; otherwise RACEWIRE, the one in the plugin, the PATH"),
    INCLUDES("includes", "", "classes to weave, as com.acme.**; everything if there are none"),
    EXCLUDES("excludes", "", "classes to leave as they are"),
    WEAVE_TESTS("weaveTests", "false", "true: weave the test classes, too"),
    WEAVE_DEPENDENCIES("weaveDependencies", "", "libraries to weave, too"),
    FAIL_TESTS("failTests", "false", "true: a test in which a race is found fails"),
    FAIL_ON_FINDINGS("failOnFindings", "true", "whether findings fail the build"),
    JUNIT_FAIL("junit.fail", "false", "what failTests sets for the listeners in the JVMs of the tests");

    final String key;
    final String fallback;
    final String help;

    BuildOptions(String key, String fallback, String help) {
        this.key = key;
        this.fallback = fallback;
        this.help = help;
    }

    static boolean has(String key) {
        for (BuildOptions option : values()) {
            if (option.key.equals(key)) {
                return true;
            }
        }
        return false;
    }
}
