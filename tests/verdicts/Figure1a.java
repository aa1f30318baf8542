package figure1a;

/** Paper 002, figure 1 (a): the two halves of a pair are read one by one, while another thread sets both at once. */
public final class Figure1a {
    @interface Atomic {}

    static final class Holder {
        private int a;
        private int b;

        @Atomic
        int getA() {
            return a;
        }

        @Atomic
        int getB() {
            return b;
        }

        @Atomic
        void setPair(int a, int b) {
            this.a = a;
            this.b = b;
        }

        boolean areEqual() {
            int left = getA();
            int right = getB(); // violation; expect causal method-consistency
            return left == right;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Holder holder = new Holder();
        Thread setter = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                holder.setPair(i, i);
            }
        });
        Thread reader = new Thread(() -> {
            boolean equal = true;
            for (int i = 0; i < 100; i++) {
                equal &= holder.areEqual();
            }
        });
        setter.start();
        reader.start();
        setter.join();
        reader.join();
    }
}
