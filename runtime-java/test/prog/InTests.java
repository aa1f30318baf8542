// expect race prog.Cell.value
// expect race prog.Cell.total
package prog;

import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import racewire.api.Findings;

/** Findings carry the test of the thread that made them; a thread that belongs to none counts for all that run. */
public class InTests {
    public static void main(String[] args) throws Exception {
        Check.that(Findings.count() == 0 && Findings.take("A.one").length == 0, "nothing is found before the start");
        Cell cell = new Cell();
        ExecutorService old = Executors.newSingleThreadExecutor();
        old.submit(() -> { }).get();
        Findings.begin("A");
        Findings.begin("A.one");
        Thread other = new Thread(() -> Findings.begin("B.two"));
        other.start();
        other.join();
        Check.inTurn(cell::add, cell::add);
        Check.that(Findings.count() > 0, "found at once");
        String[] found = Findings.take("A.one");
        Check.that(found.length == Findings.count(), "in the test of the starting thread: " + Arrays.toString(found));
        Check.that(found[0].contains("prog.Cell.value"), found[0]);
        Check.that(Findings.take("A.one").length == 0, "told once");
        Check.that(Findings.take("A").length == 0 && Findings.take("B.two").length == 0, "and in no other");
        Cell.addTotal();
        old.submit(Cell::addTotal).get();
        Check.that(Findings.take("A.one").length > 0 && Findings.take("B.two").length > 0, "in all that run");
        Check.that(Findings.take("A").length == 0, "but not in the class around");
        Findings.end("A.one");
        Findings.end("A");
        old.shutdown();
        System.out.println("ok");
    }
}
