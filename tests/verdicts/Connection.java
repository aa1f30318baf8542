package connection;

/**
 * 002's "Connection" (from Beckman, Bierhoff and Aldrich): messages are sent after a check that is over by then, and the
 * socket and the counter of a connection are reset one after the other.
 */
public final class Connection {
    static final class Socket {
        private final int[] sent = new int[1];

        void send(String message) {
            sent[0] += message.length();
        }
    }

    static final class Manager {
        private Socket socket;
        private int messages;

        synchronized void connect() {
            socket = new Socket();
            messages = 0;
        }

        synchronized boolean isConnected() {
            return socket != null;
        }

        synchronized void send(String message) {
            socket.send(message);
            messages++;
        }

        synchronized void dropSocket() {
            socket = null; // run views
        }

        synchronized void resetMessages() {
            messages = 0; // run views
        }

        /** The connection may be gone between the question and the message. */
        boolean trySend(String message) {
            if (isConnected()) {
                send(message); // violation; expect causal method-consistency
                return true;
            }
            return false;
        }

        /** Who connects in between gets his counter reset. */
        void disconnect() {
            dropSocket();
            resetMessages(); // violation; expect causal method-consistency
        }

        synchronized String status() {
            return socket == null ? "down" : "up, " + messages + " messages";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Manager manager = new Manager();
        manager.connect();
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < 10 && manager.trySend("hello"); i++) {
                    Thread.yield();
                }
            } catch (NullPointerException gone) {
                // The fault, when the threads meet.
            }
        });
        Thread closer = new Thread(() -> {
            manager.status();
            manager.disconnect();
        });
        sender.start();
        closer.start();
        sender.join();
        closer.join();
    }
}
