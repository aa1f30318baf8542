/**
 * Two producers and two consumers around a bounded buffer with {@code wait} and {@code notifyAll}. Items are objects
 * that change hands: made by one thread, worked on by another.
 */
public final class ProducerConsumer {
    private static final int EACH = 2;
    private static final int ITEMS = 1_800_000;
    private static final int CAPACITY = 256;
    private static final int WORK = 24;

    static final class Item {
        private final int number;
        private long weight;
        private Item previous;

        Item(int number, Item previous) {
            this.number = number;
            this.previous = previous;
            weight = number % 97;
        }

        long process() {
            for (int i = 0; i < WORK; i++) {
                weight = weight * 6364136223846793005L + number;
            }
            previous = null;
            return weight;
        }
    }

    static final class Buffer {
        private final Item[] items = new Item[CAPACITY];
        private int first;
        private int size;
        private int producing = EACH;

        synchronized void put(Item item) throws InterruptedException {
            while (size == CAPACITY) {
                wait();
            }
            items[(first + size) % CAPACITY] = item;
            size++;
            if (size == 1) {
                notifyAll();
            }
        }

        /** Null when all is done. */
        synchronized Item take() throws InterruptedException {
            while (size == 0) {
                if (producing == 0) {
                    return null;
                }
                wait();
            }
            Item item = items[first];
            items[first] = null;
            first = (first + 1) % CAPACITY;
            if (size == CAPACITY) {
                notifyAll();
            }
            size--;
            return item;
        }

        synchronized void producerDone() {
            producing--;
            notifyAll();
        }
    }

    private Buffer buffer;

    final class Producer extends Thread {
        private final int number;

        Producer(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            try {
                Item previous = null;
                for (int i = number; i < ITEMS; i += EACH) {
                    Item item = new Item(i, previous);
                    buffer.put(item);
                    previous = i % 8 == 0 ? null : item;
                }
                buffer.producerDone();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    final class Consumer extends Thread {
        private long sum;
        private int items;

        @Override
        public void run() {
            try {
                for (Item item = buffer.take(); item != null; item = buffer.take()) {
                    sum += item.process();
                    items++;
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private long exchange() throws InterruptedException {
        buffer = new Buffer();
        Consumer[] consumers = new Consumer[EACH];
        for (int i = 0; i < EACH; i++) {
            consumers[i] = new Consumer();
            consumers[i].start();
            new Producer(i).start();
        }
        long sum = 0;
        for (Consumer consumer : consumers) {
            consumer.join();
            sum += consumer.sum + consumer.items * 1_000_003L;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new ProducerConsumer()::exchange);
    }
}
