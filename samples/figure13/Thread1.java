// Figure 13 of the paper: the write after start() races with the thread; the write before it does not.
class Thread1 extends Thread {
    int var;

    Thread1(int i) { var = i; }

    public static void main(String[] args) {
        Thread1 t1 = new Thread1(42);
        t1.start();
        // The order of the figure. Asking for the state is no synchronization (JLS 17.4.5), unlike join().
        while (t1.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
        t1.var = 23; // expect race: var
    }

    public void run() {
        System.out.println(var); // expect race: var
    }
}
