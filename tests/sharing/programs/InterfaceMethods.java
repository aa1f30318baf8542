/** Default, static and private methods of interfaces; of two implementations of an interface only one leaks. */
public class InterfaceMethods {
    static Node leaked;

    interface Visitor {
        void visit(Node node);

        default void visitTwice(Node node) {
            once(node);
            once(node);
        }

        private void once(Node node) {
            visit(node);
        }

        static void start(Visitor visitor, Node node) throws InterruptedException {
            Thread thread = new Thread(() -> visitor.visitTwice(node));
            thread.start();
            thread.join();
        }
    }

    static class Node {
        int visited;
        int kept;
    }

    static class Counting implements Visitor {
        @Override
        public void visit(Node node) {
            node.visited++; // shared: visited
        }
    }

    interface Sink {
        void take(Node node);
    }

    static class LeakySink implements Sink {
        @Override
        public void take(Node node) {
            leaked = node; // shared: leaked
        }
    }

    static class CalmSink implements Sink {
        int calm;

        @Override
        public void take(Node node) {
            calm++; // local: calm
            node.kept++; // local: kept
        }
    }

    public static void main(String[] args) throws Exception {
        Node node = new Node();
        node.visited = 1; // shared: visited
        Visitor.start(new Counting(), node);
        LeakySink leaky = new LeakySink();
        Node given = new Node();
        leaky.take(given);
        Thread thread = new Thread(() -> leaked.kept++); // shared: leaked, kept
        thread.start();
        thread.join();
        CalmSink calm = new CalmSink();
        Node mine = new Node();
        calm.take(mine);
        System.out.println(node.visited + given.kept); // shared: visited, kept
        System.out.println(calm.calm); // local: calm
        System.out.println(mine.kept); // local: kept
    }
}
