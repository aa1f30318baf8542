/** Statics of main only, of a worker that runs once, of a worker that is started twice, and of both sides. */
public class Statics {
    static int mainOnly;
    static int onceOnly;
    static int twice;
    static int bothSides;

    static class Once implements Runnable {
        @Override
        public void run() {
            onceOnly++; // local: onceOnly
            helper();
            bothSides++; // shared: bothSides
        }

        static void helper() {
            onceOnly += 2; // local: onceOnly
        }
    }

    static class Twice implements Runnable {
        @Override
        public void run() {
            twice++; // shared: twice
        }
    }

    public static void main(String[] args) throws Exception {
        mainOnly = 1; // local: mainOnly
        Thread once = new Thread(new Once());
        once.start();
        once.join();
        Thread first = new Thread(new Twice());
        first.start();
        first.join();
        Thread second = new Thread(new Twice());
        second.start();
        second.join();
        bothSides++; // shared: bothSides
        mainOnly += bothSides; // shared: bothSides; local: mainOnly
        System.out.println(mainOnly); // local: mainOnly
    }
}
