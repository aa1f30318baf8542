/** A shutdown hook runs in a thread that the program never starts, after main has ended. */
public class ShutdownHooks {
    static int hooked;
    static int before;
    int state;

    public static void main(String[] args) {
        ShutdownHooks object = new ShutdownHooks();
        hooked = 1; // shared: hooked
        object.state = 2; // shared: state
        before = 3; // local: before
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            hooked++; // shared: hooked
            object.state++; // shared: state
            System.out.println(hooked + object.state); // shared: hooked, state
        }));
        System.out.println(hooked + before); // shared: hooked; local: before
    }
}
