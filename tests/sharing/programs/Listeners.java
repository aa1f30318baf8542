import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Callbacks of the program: registered by main in a list, called by a worker with an event of its own. */
public class Listeners {
    static class Event {
        int payload;
    }

    interface Listener {
        void on(Event event);
    }

    static class Recorder implements Listener {
        int events;
        Event last;

        @Override
        public void on(Event event) {
            events++; // shared: events
            last = event; // shared: last
        }
    }

    static class Bus extends Thread {
        final List<Listener> listeners = new ArrayList<>();
        Consumer<Event> single;

        @Override
        public void run() {
            Event event = new Event();
            event.payload = 1; // shared: payload
            for (Listener listener : listeners) {
                listener.on(event);
            }
            single.accept(event); // shared: single
        }
    }

    /** Fires in the thread of its caller. */
    static class LocalBus {
        int fired;

        void fire(Consumer<LocalBus> listener) {
            fired++; // local: fired
            listener.accept(this);
        }
    }

    static class Sum {
        int sum;
    }

    public static void main(String[] args) throws Exception {
        Bus bus = new Bus();
        Recorder recorder = new Recorder();
        Sum sum = new Sum();
        bus.listeners.add(recorder);
        bus.single = event -> sum.sum += event.payload; // shared: single, sum, payload
        bus.start();
        bus.join();
        System.out.println(recorder.events + recorder.last.payload); // shared: events, last, payload
        System.out.println(sum.sum); // shared: sum
        LocalBus local = new LocalBus();
        local.fire(it -> it.fired++); // local: fired
        System.out.println(local.fired); // local: fired
    }
}
