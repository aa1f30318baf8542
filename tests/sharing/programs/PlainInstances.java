/** Objects made by Class.newInstance, of a class that nothing else names: their constructor has no parameters. */
public class PlainInstances {
    public static class Hidden implements Runnable {
        static int made;
        int runs;

        public Hidden() {
            made++; // shared: made
        }

        @Override
        public void run() {
            runs++; // shared: runs
            made++; // shared: made
        }
    }

    /** Nobody can make it without a number, so it is main's alone. */
    public static class Numbered implements Runnable {
        int number;

        public Numbered(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            number++; // local: number
        }
    }

    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Exception {
        String name = args.length > 0 ? args[0] : "Hidden";
        Runnable hidden = (Runnable) Class.forName("PlainInstances$" + name).newInstance();
        hidden.run();
        Thread thread = new Thread(hidden);
        thread.start();
        thread.join();
        hidden.run();
        Numbered numbered = new Numbered(1);
        numbered.run();
        System.out.println(numbered.number); // local: number
    }
}
