package order;

import static order.Turns.inTurn;
import static order.Turns.use;

/** A program that is woven apart from the library that it uses. */
public final class Parts {
    private Parts() {}

    public static void main(String[] args) {
        // JLS 12.4.2: who uses a class comes after its initialiser, whoever ran it.
        inTurn(() -> use(new Library().found()), () -> use(new Library().found()), () -> use(Library.made()));
        // What comes later is ordered by nothing.
        inTurn(Library::change, () -> use(Library.late()));
    }
}
