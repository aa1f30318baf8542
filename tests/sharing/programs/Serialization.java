import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** readObject, readResolve and writeObject are called by serialization only; two of them give this away. */
public class Serialization {
    static Message arrived;
    static Message sent;

    static class Message implements Serializable {
        private static final long serialVersionUID = 1;
        int text;
        int hops;

        private void writeObject(ObjectOutputStream out) throws IOException {
            sent = this; // shared: sent
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            arrived = this; // shared: arrived
            hops++; // shared: hops
        }

        private Object readResolve() {
            hops++; // shared: hops
            return this;
        }
    }

    static class Reader {
        int read;
    }

    public static void main(String[] args) throws Exception {
        Message message = new Message();
        message.text = 1; // shared: text
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(message);
        }
        Reader reader = new Reader();
        Message copy;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = (Message) in.readObject();
            reader.read++; // local: read
        }
        Thread thread = new Thread(() -> {
            sent.text++; // shared: sent, text
            arrived.text++; // shared: arrived, text
            arrived.hops++; // shared: arrived, hops
        });
        thread.start();
        thread.join();
        System.out.println(message.text + copy.text + copy.hops); // shared: text, hops
        System.out.println(reader.read); // local: read
    }
}
