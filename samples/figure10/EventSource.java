import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;

/** A queue of events that one thread sends to the listeners. Its own state is well protected. */
class EventSource {
    private final Queue<Event> events = new LinkedList<>();
    private final List<EventListener> listeners = new ArrayList<>();

    synchronized void registerListener(EventListener listener) {
        listeners.add(listener);
    }

    synchronized void post(Event event) {
        events.add(event);
        notifyAll();
    }

    private synchronized Event next() throws InterruptedException {
        while (events.isEmpty()) {
            wait();
        }
        return events.remove();
    }

    private synchronized List<EventListener> listeners() {
        return new ArrayList<>(listeners);
    }

    /** The life of the event-processing thread. */
    void process() {
        try {
            for (Event event = next(); event != Event.LAST; event = next()) {
                for (EventListener listener : listeners()) {
                    listener.onEvent(event);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
