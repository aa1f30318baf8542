/** finalize() runs in the finalizer thread, on an object that no program code ever handed to a thread. */
@SuppressWarnings({"removal", "deprecation"})
public class Finalizers {
    static volatile boolean ran;
    static int finalized;

    static class Resource {
        int open;

        Resource use() {
            open++; // shared: open
            return this;
        }

        @Override
        protected void finalize() {
            open--; // shared: open
            finalized++; // shared: finalized
            ran = true;
        }
    }

    static class Plain {
        int plain;

        Plain use() {
            plain++; // local: plain
            return this;
        }
    }

    static int make() {
        return new Resource().use().open + new Plain().use().plain; // shared: open; local: plain
    }

    public static void main(String[] args) throws Exception {
        finalized = make(); // shared: finalized
        for (int i = 0; i < 1000 && !ran; i++) {
            System.gc();
            Thread.sleep(1);
        }
        System.out.println(finalized); // shared: finalized
    }
}
