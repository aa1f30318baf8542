package lib;

import java.util.concurrent.atomic.AtomicReference;

/** A queue of one, in a library that is not woven. */
public class Mailbox<T> {
    private final AtomicReference<T> letter = new AtomicReference<>();

    public void send(T message) {
        while (!letter.compareAndSet(null, message)) {
            Thread.yield();
        }
    }

    public T receive() {
        T message;
        while ((message = letter.getAndSet(null)) == null) {
            Thread.yield();
        }
        return message;
    }
}
