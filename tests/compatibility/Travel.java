import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.function.Supplier;

/** Serializable classes without a serialVersionUID, with everything that goes into the default one. */
public class Travel {
    interface Named {
        String name();
    }

    /** A member class (its modifiers come from InnerClasses), non-private fields, a synchronized method. */
    protected abstract static class Base implements Serializable, Named {
        protected int x;
        static long created = 1;

        Base(int x) {
            this.x = x;
            created++;
        }

        public synchronized int x() {
            return x;
        }
    }

    static final class Point extends Base implements Comparable<Point> {
        public int y;
        transient int cache;
        private String name = "seven";

        Point(int x, int y) {
            super(x);
            this.y = y;
        }

        @Override
        public String name() {
            Supplier<String> lambda = () -> name;
            return lambda.get();
        }

        @Override
        public int compareTo(Point other) {
            cache = y - other.y;
            return cache;
        }

        static synchronized void touch() {
            created--;
        }
    }

    public static void main(String[] args) throws IOException, ClassNotFoundException {
        if (args[0].equals("write")) {
            try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(args[1]))) {
                out.writeObject(new Point(3, 4));
            }
            return;
        }
        try (ObjectInputStream in = new ObjectInputStream(new FileInputStream(args[1]))) {
            Point point = (Point) in.readObject();
            System.out.println(point.x() + " " + point.y + " " + point.name());
        }
    }
}
