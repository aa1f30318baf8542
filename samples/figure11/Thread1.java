// expect none
// Figure 11 of the paper: what the starter wrote before start() is handed over to the thread. No race.
class Thread1 extends Thread {
    int var;

    Thread1(int i) { var = i; }

    public static void main(String[] args) {
        Thread1 t1 = new Thread1(42);
        t1.start();
        // t1.var = 23;
    }

    public void run() {
        System.out.println(var);
    }
}
