import java.util.SplittableRandom;

/** A hand-written JSON parser over a generated text, into a tree of node objects, one thread. */
public final class JsonParser {
    private static final int RECORDS = 3_000;
    private static final int REPETITIONS = 130;

    /** Children and members are linked lists: each node knows its next sibling. */
    abstract static class Node {
        /** Null outside objects. */
        String name;
        Node next;

        abstract long fingerprint();
    }

    static final class Text extends Node {
        private final String value;

        Text(String value) {
            this.value = value;
        }

        @Override
        long fingerprint() {
            return value.hashCode();
        }
    }

    static final class Number extends Node {
        private final double value;

        Number(double value) {
            this.value = value;
        }

        @Override
        long fingerprint() {
            return Double.doubleToLongBits(value);
        }
    }

    static final class Word extends Node {
        private final String value;

        Word(String value) {
            this.value = value;
        }

        @Override
        long fingerprint() {
            return value.length();
        }
    }

    static final class Container extends Node {
        private Node first;
        private Node last;
        private int size;

        void add(Node child) {
            if (last == null) {
                first = child;
            } else {
                last.next = child;
            }
            last = child;
            size++;
        }

        @Override
        long fingerprint() {
            long sum = size;
            for (Node child = first; child != null; child = child.next) {
                sum = sum * 31 + (child.name == null ? 0 : child.name.hashCode()) + child.fingerprint();
            }
            return sum;
        }
    }

    static final class Parser {
        private final String text;
        private int position;

        Parser(String text) {
            this.text = text;
        }

        Node parse() {
            Node node = value();
            blank();
            if (position != text.length()) {
                throw wrong("the end");
            }
            return node;
        }

        private Node value() {
            blank();
            char c = text.charAt(position);
            switch (c) {
                case '{':
                    return object();
                case '[':
                    return array();
                case '"':
                    return new Text(string());
                case 't':
                    return word("true");
                case 'f':
                    return word("false");
                case 'n':
                    return word("null");
                default:
                    return number();
            }
        }

        private Node object() {
            Container object = new Container();
            position++;
            blank();
            if (accept('}')) {
                return object;
            }
            do {
                blank();
                String name = string();
                blank();
                expect(':');
                Node member = value();
                member.name = name;
                object.add(member);
                blank();
            } while (accept(','));
            expect('}');
            return object;
        }

        private Node array() {
            Container array = new Container();
            position++;
            blank();
            if (accept(']')) {
                return array;
            }
            do {
                array.add(value());
                blank();
            } while (accept(','));
            expect(']');
            return array;
        }

        private String string() {
            expect('"');
            StringBuilder escaped = null;
            int begin = position;
            while (text.charAt(position) != '"') {
                if (text.charAt(position) == '\\') {
                    escaped = escaped == null ? new StringBuilder() : escaped;
                    escaped.append(text, begin, position);
                    escaped.append(text.charAt(position + 1) == 'n' ? '\n' : text.charAt(position + 1));
                    position += 2;
                    begin = position;
                } else {
                    position++;
                }
            }
            String plain = text.substring(begin, position++);
            return escaped == null ? plain : escaped.append(plain).toString();
        }

        private Node number() {
            boolean negative = accept('-');
            double value = digits();
            if (accept('.')) {
                int begin = position;
                double fraction = digits();
                for (int i = begin; i < position; i++) {
                    fraction /= 10;
                }
                value += fraction;
            }
            return new Number(negative ? -value : value);
        }

        private double digits() {
            double value = 0;
            int begin = position;
            while (position < text.length() && Character.isDigit(text.charAt(position))) {
                value = value * 10 + (text.charAt(position++) - '0');
            }
            if (begin == position) {
                throw wrong("a digit");
            }
            return value;
        }

        private Node word(String word) {
            if (!text.startsWith(word, position)) {
                throw wrong(word);
            }
            position += word.length();
            return new Word(word);
        }

        private void blank() {
            while (position < text.length() && text.charAt(position) <= ' ') {
                position++;
            }
        }

        private boolean accept(char c) {
            if (text.charAt(position) != c) {
                return false;
            }
            position++;
            return true;
        }

        private void expect(char c) {
            if (!accept(c)) {
                throw wrong("'" + c + "'");
            }
        }

        private IllegalStateException wrong(String wanted) {
            return new IllegalStateException("expected " + wanted + " at " + position);
        }
    }

    private final String text = generate();
    private Node tree;

    private static String generate() {
        SplittableRandom random = new SplittableRandom(9);
        StringBuilder json = new StringBuilder("[\n");
        for (int i = 0; i < RECORDS; i++) {
            json.append(i == 0 ? "" : ",\n").append("  {\"id\": ").append(i);
            json.append(", \"name\": \"customer ").append(random.nextInt(10_000)).append("\"");
            String said = Long.toString(random.nextLong() >>> 1, 36);
            json.append(", \"note\": \"said \\\"").append(said).append("\\\"\\n\"");
            json.append(", \"active\": ").append(random.nextBoolean()).append(", \"parent\": null");
            json.append(", \"prices\": [");
            int prices = 1 + random.nextInt(12);
            for (int p = 0; p < prices; p++) {
                json.append(p == 0 ? "" : ", ").append(random.nextInt(2000) - 500);
                json.append('.').append(random.nextInt(100));
            }
            json.append("], \"address\": {\"street\": \"street ").append(random.nextInt(99)).append("\"");
            json.append(", \"city\": \"c").append(random.nextInt(50)).append("\", \"tags\": []}}");
        }
        return json.append("\n]\n").toString();
    }

    private long parse() {
        long sum = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            tree = new Parser(text).parse();
            sum = sum * 31 + tree.fingerprint();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new JsonParser()::parse);
    }
}
