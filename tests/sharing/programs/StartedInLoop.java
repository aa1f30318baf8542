/** One start in a loop, one in a recursive method and one in a method called twice: workers that run many times. */
public class StartedInLoop {
    static int looped;
    static int recursive;
    static int called;

    static class Scratch {
        int own;
    }

    static class Total {
        int total;
    }

    static void recurse(int n) throws InterruptedException {
        if (n > 0) {
            Thread thread = new Thread(() -> recursive++); // shared: recursive
            thread.start();
            thread.join();
            recurse(n - 1);
        }
    }

    static void call() throws InterruptedException {
        Thread thread = new Thread(() -> called++); // shared: called
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        Total total = new Total();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                Scratch scratch = new Scratch();
                scratch.own++; // local: own
                looped += scratch.own; // shared: looped; local: own
            });
            thread.start();
            thread.join();
            total.total += i; // local: total
        }
        recurse(2);
        call();
        call();
        System.out.println(total.total); // local: total
    }
}
