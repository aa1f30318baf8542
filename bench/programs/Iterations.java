import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The protocol between a benchmark program and the command that measures it. Compiled apart from the programs and
 * never woven, so that measuring costs the same in every variant.
 *
 * <p>stdout: one checksum per iteration. stderr: {@code racewire-bench iteration <n> <wall ns> <process CPU ns>} per
 * iteration, {@code racewire-bench live <bytes>} at the end.
 */
public final class Iterations {
    private static final int DEFAULT = 5;

    /** No iteration is begun after this long: a variant that is hundreds of times slower shall end, too. */
    private static final long ENOUGH_NANOS = 60_000_000_000L;

    /** A program whose threads go on might never have the same twice. */
    private static final int MOST_COLLECTIONS = 8;

    /** Keeps the program's data reachable while live memory is measured. */
    private static Work kept;

    private Iterations() {}

    /** One iteration: always the same work; the checksum depends on nothing but its number. */
    public interface Work {
        long run() throws Exception;
    }

    /** Runs the work as often as the first argument says. */
    public static void run(String[] args, Work work) throws Exception {
        int iterations = args.length > 0 ? Integer.parseInt(args[0]) : DEFAULT;
        kept = work;
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long begin = System.nanoTime();
        for (int n = 1; n <= iterations && System.nanoTime() - begin < ENOUGH_NANOS; n++) {
            long cpu = system.getProcessCpuTime();
            long wall = System.nanoTime();
            long checksum = work.run();
            wall = System.nanoTime() - wall;
            cpu = system.getProcessCpuTime() - cpu;
            System.out.println("checksum " + checksum);
            System.err.println("racewire-bench iteration " + n + " " + wall + " " + cpu);
        }
        figure("live", live());
        if (kept != work) {
            throw new IllegalStateException("the data was not kept");
        }
    }

    /** What a collection finds is cleaned up by other threads, and may keep more until then: until one finds nothing more. */
    private static long live() throws InterruptedException {
        long before = usedAfterCollection();
        for (int n = 1; n < MOST_COLLECTIONS; n++) {
            Thread.sleep(500);
            long now = usedAfterCollection();
            if (now > before - before / 100) {
                return now;
            }
            before = now;
        }
        return before;
    }

    private static long usedAfterCollection() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** A further figure of the program's own. */
    public static void figure(String name, long value) {
        System.err.println("racewire-bench " + name + " " + value);
    }
}
