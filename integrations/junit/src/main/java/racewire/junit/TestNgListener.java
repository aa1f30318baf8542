package racewire.junit;

import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.ITestResult;

/** Tells the runtime which test runs, and fails it where asked to. Found by itself by TestNG. */
public final class TestNgListener implements IInvokedMethodListener {
    @Override
    public void beforeInvocation(IInvokedMethod method, ITestResult result) {
        Racewire.begin(name(method));
    }

    @Override
    public void afterInvocation(IInvokedMethod method, ITestResult result) {
        String name = name(method);
        Racewire.end(name);
        AssertionError failure = Racewire.failure(name);
        if (failure != null && method.isTestMethod() && result.getStatus() == ITestResult.SUCCESS) {
            result.setStatus(ITestResult.FAILURE);
            result.setThrowable(failure);
        }
    }

    private static String name(IInvokedMethod method) {
        return method.getTestMethod().getRealClass().getName() + "." + method.getTestMethod().getMethodName();
    }
}
