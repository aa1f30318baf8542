package plugin;

public class Counter implements Runnable {
    private int count;

    @Override
    public void run() {
        count++;
    }
}
