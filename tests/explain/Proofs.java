// A field for each reason why an access is monitored or not.
public class Proofs {
    static int counter; // main and one Worker
    static int ticks; // many Tickers
    static int mains; // main alone

    static class Worker extends Thread {
        Box box; // handed over with its task

        Worker(Box box) {
            this.box = box;
        }

        public void run() {
            add();
            box.n++;
            System.out.println(box.name);
        }

        void add() {
            counter++;
        }
    }

    static class Ticker implements Runnable {
        public void run() {
            ticks++;
        }
    }

    static class Box {
        int n;
        String name; // not published yet in the constructor, never written after

        Box(String name) {
            this.name = name;
        }
    }

    static class Point {
        int x; // never leaves its thread

        Point(int x) {
            this.x = x;
        }
    }

    static void never() {
        counter = 7;
    }

    static synchronized int twice() {
        return counter + counter;
    }

    static void book() {
        twice();
    }

    public static void main(String[] args) throws Exception {
        mains++;
        Box box = new Box("b");
        Worker worker = new Worker(box);
        worker.start();
        box.n++;
        for (int i = 0; i < 3; i++) {
            new Thread(new Ticker()).start();
        }
        System.out.println(new Point(4).x);
        book();
        worker.join();
    }
}
