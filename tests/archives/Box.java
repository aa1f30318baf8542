package lib;

public class Box {
    private int content;

    public void put(int value) {
        content = value;
    }

    public static String origin() {
        return "base";
    }
}
