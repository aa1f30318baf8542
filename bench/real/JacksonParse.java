import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Jackson in two threads that share one mapper: a text is read into the program's own objects and written again, then
 * read as a tree, changed and written.
 */
public final class JacksonParse {
    private static final int THREADS = 2;
    private static final int ORDERS = 400;
    private static final int REPETITIONS = 120;

    public static final class Item {
        public String name;
        public int pieces;
        public double price;
    }

    public static final class Address {
        private String street;
        private int number;

        public String getStreet() {
            return street;
        }

        public void setStreet(String street) {
            this.street = street;
        }

        public int getNumber() {
            return number;
        }

        public void setNumber(int number) {
            this.number = number;
        }
    }

    public static final class Order {
        public long id;
        public Address address;
        public List<Item> items = new ArrayList<>();
        public Map<String, String> notes = new TreeMap<>();
        public boolean paid;
    }

    static final class Reader extends Thread {
        private final ObjectMapper mapper;
        private final String text;
        private long sum;
        private Exception failure;

        Reader(ObjectMapper mapper, String text) {
            this.mapper = mapper;
            this.text = text;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < REPETITIONS; i++) {
                    sum = sum * 31 + bind() + tree();
                }
            } catch (Exception e) {
                failure = e;
            }
        }

        private long bind() throws Exception {
            Order[] orders = mapper.readValue(text, Order[].class);
            double total = 0;
            for (Order order : orders) {
                for (Item item : order.items) {
                    total += item.pieces * item.price;
                }
                order.paid = !order.paid;
                order.address.setNumber(order.address.getNumber() + 1);
            }
            return mapper.writeValueAsString(orders).hashCode() + Double.doubleToLongBits(total);
        }

        private long tree() throws Exception {
            JsonNode root = mapper.readTree(text);
            long pieces = 0;
            for (JsonNode order : root) {
                for (JsonNode item : order.get("items")) {
                    pieces += item.get("pieces").asInt();
                }
                ((ObjectNode) order).put("total", pieces).remove("notes");
            }
            return mapper.writeValueAsBytes(root).length + pieces;
        }
    }

    private final ObjectMapper mapper = new ObjectMapper();
    private final String text;

    private JacksonParse() throws Exception {
        SplittableRandom random = new SplittableRandom(13);
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            Order order = new Order();
            order.id = i;
            order.address = new Address();
            order.address.setStreet("street \"" + random.nextInt(90) + "\"");
            order.address.setNumber(random.nextInt(200));
            for (int k = random.nextInt(8); k >= 0; k--) {
                Item item = new Item();
                item.name = "item " + random.nextInt(500);
                item.pieces = random.nextInt(20);
                item.price = random.nextInt(10_000) / 100.0;
                order.items.add(item);
            }
            order.notes.put("from", "customer " + random.nextInt(1000));
            order.notes.put("said", Long.toString(random.nextLong(), 36));
            orders.add(order);
        }
        text = mapper.writeValueAsString(orders);
    }

    private long read() throws Exception {
        Reader[] readers = new Reader[THREADS];
        for (int t = 0; t < THREADS; t++) {
            readers[t] = new Reader(mapper, text);
            readers[t].start();
        }
        long sum = 0;
        for (Reader reader : readers) {
            reader.join();
            if (reader.failure != null) {
                throw reader.failure;
            }
            sum = sum * 31 + reader.sum;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new JacksonParse()::read);
    }
}
