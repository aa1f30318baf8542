// expect none
/** Constructors that keep their object to themselves, and one that gives it away when it has written everything. */
public class FirstWriteSafe {
    static class Base {
        int base;

        Base(int base) {
            this.base = base;
            if (base > 1) {
                this.base++;
            }
        }
    }

    static class Sub extends Base {
        long own;
        Object other;

        Sub(int value, Object other) {
            super(value);
            own = value;
            own += base;
            this.other = other;
        }

        Sub(int value) {
            this(value, null);
            own++;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            Sub sub = i == 0 ? new Sub(i) : new Sub(i, "x");
            Thread thread = new Thread(() -> System.out.println(sub.own + " " + sub.base + " " + sub.other));
            thread.start();
            while (thread.getState() != Thread.State.TERMINATED) {
                Thread.yield();
            }
        }
    }
}
