import java.util.concurrent.atomic.AtomicBoolean;

/** {@code super.clone()} that does not reach Object's: what it returns is no new object, its past counts. */
public class CloneItselfRaces {
    static final AtomicBoolean GO = new AtomicBoolean();

    static class Base implements Cloneable {
        int x;

        @Override
        public Object clone() throws CloneNotSupportedException {
            return this;
        }
    }

    static class Sub extends Base {
        @Override
        public Object clone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Sub object = new Sub();
        Thread one = new Thread(() -> {
            object.x = 1; // expect race: x
            GO.set(true);
        });
        Thread two = new Thread(() -> {
            while (!GO.get()) {
                Thread.onSpinWait();
            }
            try {
                System.out.println(object.clone() == object);
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
            object.x = 2; // expect race: x
        });
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
