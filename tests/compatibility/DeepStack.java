/** Runs out of stack inside locks, at many depths: the locks must be free afterwards, and nothing may hang. */
public class DeepStack {
    synchronized void method() {
        method();
    }

    static synchronized void staticMethod() {
        staticMethod();
    }

    void block() {
        synchronized (this) {
            block();
        }
    }

    void blockInBlock() {
        synchronized (DeepStack.class) {
            synchronized (this) {
                blockInBlock();
            }
        }
    }

    void blockInFinally(int[] count) {
        try {
            synchronized (this) {
                blockInFinally(count);
            }
        } finally {
            count[0]++;
        }
    }

    /** Frames of another size, so that the stack ends at another place. */
    static void below(int frames, long pad, Runnable end) {
        if (frames == 0) {
            end.run();
        } else {
            below(frames - 1, pad + 1, end);
        }
    }

    static void overflow(String what, Runnable recursion) throws InterruptedException {
        for (int frames = 0; frames < 12; frames++) {
            int depth = frames;
            Thread thread = new Thread(null, () -> {
                try {
                    below(depth, 0, recursion);
                } catch (StackOverflowError expected) {
                    // That is what it is about.
                }
            }, what, 256 * 1024 + frames * 48);
            thread.setDaemon(true);
            thread.start();
            thread.join(20_000);
            if (thread.isAlive()) {
                System.out.println(what + " hangs");
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        DeepStack object = new DeepStack();
        overflow("method", object::method);
        overflow("static method", DeepStack::staticMethod);
        overflow("block", object::block);
        overflow("block in block", object::blockInBlock);
        overflow("block in finally", () -> object.blockInFinally(new int[1]));
        Thread check = new Thread(() -> {
            synchronized (object) {
                synchronized (DeepStack.class) {
                    System.out.println("locks are free");
                }
            }
        });
        check.setDaemon(true);
        check.start();
        check.join(20_000);
        Runtime.getRuntime().halt(0);
    }
}
