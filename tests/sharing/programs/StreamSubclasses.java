import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;

/** An InputStream, a Reader and an OutputStream of the program, driven by JDK wrappers in a thread. */
public class StreamSubclasses {
    static class Source extends InputStream {
        int bytes;

        @Override
        public int read() {
            return bytes++ < 3 ? 'a' : -1; // shared: bytes
        }
    }

    static class Text extends Reader {
        int chars;

        @Override
        public int read(char[] buffer, int from, int length) {
            return chars++ == 0 ? 1 : -1; // shared: chars
        }

        @Override
        public void close() {
            chars = 0;
        }
    }

    static class Sink extends OutputStream {
        int written;

        @Override
        public void write(int b) {
            written++; // shared: written
        }
    }

    static class LocalSource extends FilterInputStream {
        int read;

        LocalSource() {
            super(new ByteArrayInputStream(new byte[2]));
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            read++; // local: read
            return super.read(buffer, from, length);
        }
    }

    public static void main(String[] args) throws Exception {
        Source source = new Source();
        Text text = new Text();
        Sink sink = new Sink();
        InputStream in = new BufferedInputStream(source);
        BufferedReader reader = new BufferedReader(text);
        PrintStream out = new PrintStream(sink);
        Thread thread = new Thread(() -> {
            try {
                in.read();
                reader.readLine();
                out.println("text");
                out.flush();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        thread.join();
        System.out.println(source.bytes + text.chars + sink.written); // shared: bytes, chars, written
        LocalSource local = new LocalSource();
        System.out.println(new BufferedInputStream(local).readAllBytes().length);
        System.out.println(local.read); // local: read
    }
}
