package racewire.junit;

/** How tests are called in findings: {@code com.acme.BankTest.transfer}, with a number where it runs several times. */
final class TestNames {
    private TestNames() { }

    /** The unique id of a repeated or parameterized test ends in {@code [test-template-invocation:#3]}. */
    static String of(String className, String method, String uniqueId) {
        int hash = uniqueId.lastIndexOf(":#");
        boolean invocation = hash > 0 && uniqueId.indexOf('/', hash) < 0 && uniqueId.endsWith("]");
        return className + "." + method + (invocation ? "[" + uniqueId.substring(hash + 2) : "");
    }
}
