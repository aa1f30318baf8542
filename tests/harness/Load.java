/** Loads the classes that its arguments name, and initialises none. */
public class Load {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class.forName(name, false, Load.class.getClassLoader());
        }
    }
}
