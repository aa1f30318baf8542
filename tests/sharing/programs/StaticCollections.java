import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.TreeMap;
import java.util.Vector;

/** Objects that a second thread finds in static collections; look-alikes lie in collections that only main has. */
public class StaticCollections {
    static final Map<String, Cell> MAP = new HashMap<>();
    static final List<Cell> LIST = new ArrayList<>();
    static final Stack<Cell> STACK = new Stack<>();
    static final Vector<Cell> VECTOR = new Vector<>();

    static class Cell {
        int mapped;
        int listed;
        int stacked;
        int inVector;
    }

    public static void main(String[] args) throws Exception {
        Cell a = new Cell();
        MAP.put("a", a);
        LIST.add(a);
        STACK.push(a);
        VECTOR.addElement(a);
        a.mapped = a.listed = a.stacked = a.inVector = 1; // shared: mapped, listed, stacked, inVector
        inThread(() -> {
            MAP.get("a").mapped++; // shared: mapped
            LIST.get(0).listed++; // shared: listed
            STACK.peek().stacked++; // shared: stacked
            VECTOR.elementAt(0).inVector++; // shared: inVector
        });
        System.out.println(a.mapped + a.listed + a.stacked + a.inVector); // shared: mapped, listed, stacked, inVector
        Map<String, Cell> map = new TreeMap<>();
        List<Cell> list = new ArrayList<>();
        map.put("b", new Cell());
        list.add(map.get("b"));
        map.get("b").mapped++; // local: mapped
        list.get(0).listed++; // local: listed
        System.out.println(list.get(0).mapped); // local: mapped
    }

    /** Runs the task in a thread of its own and waits for its end. */
    static void inThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
