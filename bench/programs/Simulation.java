import java.util.SplittableRandom;

/**
 * A shop as a discrete-event simulation: customers arrive, queue at counters, are served, come back. Many small
 * objects, most of them short-lived; an event queue (binary heap) written in Java; one thread.
 */
public final class Simulation {
    private static final int COUNTERS = 40;
    private static final int REGULARS = 4_000;
    private static final int EVENTS = 3_600_000;

    abstract static class Event {
        final long time;
        /** Events of the same moment happen in the order they were made. */
        final long number;

        Event(long time, long number) {
            this.time = time;
            this.number = number;
        }

        boolean before(Event other) {
            return time < other.time || time == other.time && number < other.number;
        }

        abstract void happen(Simulation shop);
    }

    static final class Arrival extends Event {
        private final Customer customer;

        Arrival(long time, long number, Customer customer) {
            super(time, number);
            this.customer = customer;
        }

        @Override
        void happen(Simulation shop) {
            shop.arrive(customer, time);
        }
    }

    static final class Departure extends Event {
        private final Counter counter;

        Departure(long time, long number, Counter counter) {
            super(time, number);
            this.counter = counter;
        }

        @Override
        void happen(Simulation shop) {
            shop.finish(counter, time);
        }
    }

    static final class Customer {
        int visits;
        long waited;
        long spent;
    }

    /** One place in a counter's line. */
    static final class Waiting {
        Customer customer;
        long since;
        int goods;
        Waiting next;
    }

    static final class Counter {
        private Waiting first;
        private Waiting last;
        private int length;
        private Waiting served;
        private long turnover;

        void enqueue(Waiting waiting) {
            if (last == null) {
                first = waiting;
            } else {
                last.next = waiting;
            }
            last = waiting;
            length++;
        }

        Waiting dequeue() {
            Waiting waiting = first;
            first = waiting.next;
            if (first == null) {
                last = null;
            }
            length--;
            return waiting;
        }
    }

    static final class EventQueue {
        private Event[] heap = new Event[64];
        private int size;

        void add(Event event) {
            if (size == heap.length) {
                heap = java.util.Arrays.copyOf(heap, size * 2);
            }
            int i = size++;
            while (i > 0 && event.before(heap[(i - 1) / 2])) {
                heap[i] = heap[(i - 1) / 2];
                i = (i - 1) / 2;
            }
            heap[i] = event;
        }

        Event take() {
            Event top = heap[0];
            Event moved = heap[--size];
            heap[size] = null;
            int i = 0;
            int child = 1;
            while (child < size) {
                if (child + 1 < size && heap[child + 1].before(heap[child])) {
                    child++;
                }
                if (moved.before(heap[child])) {
                    break;
                }
                heap[i] = heap[child];
                i = child;
                child = 2 * i + 1;
            }
            heap[i] = moved;
            return top;
        }
    }

    private EventQueue events;
    private Counter[] counters;
    private Customer[] customers;
    private SplittableRandom random;
    private long made;

    private void arrive(Customer customer, long now) {
        Waiting waiting = new Waiting();
        waiting.customer = customer;
        waiting.since = now;
        waiting.goods = 1 + random.nextInt(20);
        customer.visits++;
        Counter shortest = counters[0];
        for (Counter counter : counters) {
            if (counter.length < shortest.length) {
                shortest = counter;
            }
        }
        shortest.enqueue(waiting);
        if (shortest.served == null) {
            serve(shortest, now);
        }
    }

    private void serve(Counter counter, long now) {
        Waiting waiting = counter.dequeue();
        counter.served = waiting;
        waiting.customer.waited += now - waiting.since;
        events.add(new Departure(now + 5L * waiting.goods, made++, counter));
    }

    private void finish(Counter counter, long now) {
        Waiting done = counter.served;
        long price = done.goods * 3L;
        done.customer.spent += price;
        counter.turnover += price;
        counter.served = null;
        events.add(new Arrival(now + 200 + random.nextInt(2000), made++, done.customer));
        if (counter.first != null) {
            serve(counter, now);
        }
    }

    private long simulate() {
        random = new SplittableRandom(5);
        events = new EventQueue();
        counters = new Counter[COUNTERS];
        customers = new Customer[REGULARS];
        made = 0;
        for (int i = 0; i < COUNTERS; i++) {
            counters[i] = new Counter();
        }
        for (int i = 0; i < REGULARS; i++) {
            customers[i] = new Customer();
            events.add(new Arrival(random.nextInt(1000), made++, customers[i]));
        }
        for (int i = 0; i < EVENTS; i++) {
            events.take().happen(this);
        }
        long sum = made;
        for (Counter counter : counters) {
            sum = sum * 31 + counter.turnover + counter.length;
        }
        for (Customer customer : customers) {
            sum = (sum * 31 + customer.waited) * 31 + customer.spent + customer.visits;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new Simulation()::simulate);
    }
}
