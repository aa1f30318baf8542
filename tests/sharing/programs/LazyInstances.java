/** Double-checked locking, an unsafe lazy singleton and the holder idiom; one lazy instance is of main only. */
public class LazyInstances {
    private static LazyInstances checked;
    private static LazyInstances unsafe;
    int uses;
    int held;
    int broken;

    static class Holder {
        static final LazyInstances INSTANCE = new LazyInstances();
    }

    static LazyInstances checked() {
        if (checked == null) { // shared: checked
            synchronized (LazyInstances.class) {
                if (checked == null) { // shared: checked
                    checked = new LazyInstances(); // shared: checked
                }
            }
        }
        return checked; // shared: checked
    }

    static LazyInstances unsafe() {
        if (unsafe == null) { // shared: unsafe
            unsafe = new LazyInstances(); // shared: unsafe
        }
        return unsafe; // shared: unsafe
    }

    static class Lazy {
        static Lazy mainInstance;
        int mainUses;

        static Lazy get() {
            if (mainInstance == null) { // local: mainInstance
                mainInstance = new Lazy(); // local: mainInstance
            }
            return mainInstance; // local: mainInstance
        }
    }

    static void use() {
        checked().uses++; // shared: uses
        unsafe().broken++; // shared: broken
        Holder.INSTANCE.held++; // shared: held
    }

    public static void main(String[] args) throws Exception {
        use();
        Thread thread = new Thread(LazyInstances::use);
        thread.start();
        thread.join();
        Lazy.get().mainUses++; // local: mainUses
        System.out.println(Lazy.get().mainUses); // local: mainUses
    }
}
