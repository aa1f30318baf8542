package lib;

/** The same class for Java 21 and up, in a multi-release jar: another field, another answer. */
public class Box {
    private int content21;

    public void put(int value) {
        content21 = value;
    }

    public static String origin() {
        return "version 21";
    }
}
