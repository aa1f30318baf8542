import java.util.concurrent.TimeUnit;

/** Races, then is killed: no shutdown hook, no finalizer, nothing runs any more. */
public class Killed {
    static int shared;

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(() -> shared = 1);
        Thread two = new Thread(() -> shared = 2);
        one.start();
        two.start();
        one.join();
        two.join();
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
        TimeUnit.MINUTES.sleep(1);
    }
}
