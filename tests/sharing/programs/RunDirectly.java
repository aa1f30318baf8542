/** main calls run() of a thread and starts it as well; another Runnable is only ever called by main. */
public class RunDirectly {
    static class Both extends Thread {
        int runs;

        @Override
        public void run() {
            runs++; // shared: runs
        }
    }

    static class Direct implements Runnable {
        int direct;

        @Override
        public void run() {
            direct++; // local: direct
        }
    }

    public static void main(String[] args) throws Exception {
        Both both = new Both();
        both.run();
        both.start();
        both.join();
        Direct direct = new Direct();
        direct.run();
        direct.run();
        System.out.println(direct.direct); // local: direct
    }
}
