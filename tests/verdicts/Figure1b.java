package figure1b;

/** Paper 002, figure 1 (b): an increment made of a getter and a setter loses updates. */
public final class Figure1b extends Thread {
    @interface Atomic {}

    static final class Holder {
        private int x;

        @Atomic
        int getX() {
            return x;
        }

        @Atomic
        void setX(int x) {
            this.x = x;
        }

        void incX(int by) {
            int now = getX();
            now = now + by;
            setX(now); // violation; expect block-local stale-value causal method-consistency
        }
    }

    private static final Holder HOLDER = new Holder();

    @Override
    public void run() {
        HOLDER.incX(1);
    }

    public static void main(String[] args) throws InterruptedException {
        Figure1b first = new Figure1b();
        Figure1b second = new Figure1b();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
