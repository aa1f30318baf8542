/** String concatenation, String.format, valueOf, append and println call toString, which gives this away. */
public class ToStringLeak {
    static Leaky leaked;

    static class Leaky {
        int text;
        int formatted;

        @Override
        public String toString() {
            leaked = this; // shared: leaked
            return "leaky";
        }
    }

    static class Quiet {
        int quiet;

        @Override
        public String toString() {
            quiet++; // local: quiet
            return "quiet";
        }
    }

    static void published() throws InterruptedException {
        Thread thread = new Thread(() -> {
            leaked.text++; // shared: leaked, text
            leaked.formatted++; // shared: leaked, formatted
        });
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        Leaky one = new Leaky();
        one.text = 1; // shared: text
        System.out.println("concatenated: " + one);
        published();
        System.out.println(one.text); // shared: text
        Leaky two = new Leaky();
        two.formatted = 2; // shared: formatted
        System.out.println(String.format("formatted: %s", two));
        published();
        System.out.println(two.formatted); // shared: formatted
        Leaky three = new Leaky();
        three.text = 3; // shared: text
        new StringBuilder().append(three);
        published();
        System.out.println(three.text); // shared: text
        Leaky four = new Leaky();
        four.formatted = 4; // shared: formatted
        String.valueOf((Object) four);
        published();
        System.out.println(four.formatted); // shared: formatted
        Leaky five = new Leaky();
        five.text = 5; // shared: text
        System.out.println(five);
        published();
        System.out.println(five.text); // shared: text
        Quiet quiet = new Quiet();
        System.out.println("quiet: " + quiet + String.format("%s", quiet));
        System.out.println(quiet.quiet); // local: quiet
    }
}
