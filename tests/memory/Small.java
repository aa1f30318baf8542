/** Does next to nothing, and prints how many KB the heap has then. */
public final class Small {
    private static final Object lock = new Object();
    private static int[] counts;

    public static void main(String[] args) throws Exception {
        Runnable count = () -> {
            synchronized (lock) {
                counts[0]++;
            }
        };
        counts = new int[Integer.parseInt(args[0])];
        Thread thread = new Thread(count);
        thread.start();
        count.run();
        thread.join();
        System.out.println("live " + Memory.liveKb());
    }
}
