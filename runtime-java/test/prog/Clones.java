package prog;

/** A clone is a variable of its own: its history begins when it is made. */
public class Clones {
    static class Special extends Cell { }

    public static void main(String[] args) throws Exception {
        Cell[] copies = new Cell[1];
        Cell original = new Special();
        Check.inTurn(() -> {
            original.add();
            copies[0] = original.clone();
            Check.that(copies[0].$racewire$value == 0, "the copy is Virgin");
            Check.that(original.$racewire$value != 0, "the original is not");
        }, () -> copies[0].add());
        Check.equal(2, copies[0].value);
        System.out.println("ok");
    }
}
