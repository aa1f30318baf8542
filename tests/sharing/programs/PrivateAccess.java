/** Private fields used across nested classes (nest mates, or accessors with an old compiler), also by a subclass. */
public class PrivateAccess {
    private static int counter;
    private int secret;
    private int secretLocal;

    static class Nested implements Runnable {
        private final PrivateAccess target;
        private int mine;

        Nested(PrivateAccess target) {
            this.target = target;
        }

        @Override
        public void run() {
            counter++; // shared: counter
            target.secret += 2; // shared: secret
            mine++; // shared: mine
        }
    }

    static class Other {
        static int look(PrivateAccess object) {
            return object.secretLocal++; // local: secretLocal
        }
    }

    public static void main(String[] args) throws Exception {
        PrivateAccess object = new PrivateAccess();
        counter = 1; // shared: counter
        object.secret = 1; // shared: secret
        Nested nested = new Nested(object);
        Thread thread = new Thread(nested);
        thread.start();
        thread.join();
        System.out.println(counter + object.secret + nested.mine); // shared: counter, secret, mine
        PrivateAccess local = new PrivateAccess();
        Other.look(local);
        System.out.println(local.secretLocal); // local: secretLocal
    }
}
