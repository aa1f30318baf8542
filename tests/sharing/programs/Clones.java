/** clone() of a shared object is a new object, but a shallow one: its parts are still shared. */
public class Clones {
    static class Part {
        int part;
    }

    static class Whole implements Cloneable {
        int value;
        Part piece;

        Whole copy() {
            try {
                return (Whole) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Whole whole = new Whole();
        whole.value = 1; // shared: value
        whole.piece = new Part(); // shared: piece
        Whole copy = whole.copy();
        Thread thread = new Thread(() -> {
            whole.value++; // shared: value
            whole.piece.part++; // shared: piece, part
        });
        thread.start();
        thread.join();
        copy.value += 5; // local: value
        copy.piece.part++; // shared: part; local: piece
        System.out.println(whole.value + whole.piece.part); // shared: value, piece, part
        System.out.println(copy.value); // local: value
    }
}
