package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.use;

import invisible.Stage;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Scanner;

/** What is written at one end of a pipe comes before what is done by who reads it at the other. */
final class Pipes {
    static void run() {
        streams();
        wrapped();
        characters();
        channels();
        nothing();
    }

    private static void streams() {
        ordered("PipedOutputStream: write, read", () -> {
            PipedInputStream in = new PipedInputStream();
            PipedOutputStream out = new PipedOutputStream(in);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.write(7); }, () -> { check(in.read() == 7); c.v++; });
        });
        races("PipedOutputStream: another pipe", () -> {
            PipedInputStream in = new PipedInputStream();
            PipedOutputStream out = new PipedOutputStream(in);
            PipedInputStream other = new PipedInputStream();
            PipedOutputStream toOther = new PipedOutputStream(other);
            toOther.write(8);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; out.write(7); }, // expect race
                    () -> { check(other.read() == 8); c.v++; }); // expect race
        });
        races("PipedOutputStream: written after", () -> {
            PipedInputStream in = new PipedInputStream();
            PipedOutputStream out = new PipedOutputStream(in);
            Cell c = new Cell();
            inTurn(
                    () -> { out.write(new byte[] {7, 8}); c.v = 1; }, // expect race
                    () -> { check(in.read(new byte[2]) == 2); c.v++; }); // expect race
        });
        races("PipedInputStream: read, then written: that way there is no edge", () -> {
            PipedInputStream in = new PipedInputStream();
            PipedOutputStream out = new PipedOutputStream(in);
            out.write(7);
            Cell c = new Cell();
            Stage s = new Stage();
            // A pipe whose reader has ended takes nothing more.
            Thread t = start(() -> {
                c.v = 1; // expect race
                check(in.read() == 7);
                s.reach(1);
                s.await(2);
            });
            s.await(1);
            inTurn(() -> { out.write(8); c.v++; }); // expect race
            s.reach(2);
            Stage.ended(t);
        });
        ordered("PipedOutputStream: close, and the end that is read", () -> {
            PipedInputStream in = new PipedInputStream();
            PipedOutputStream out = new PipedOutputStream(in);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.close(); }, () -> { check(in.read() == -1); c.v++; });
        });
        ordered("PipedInputStream: available() said yes", () -> {
            PipedInputStream in = new PipedInputStream();
            PipedOutputStream out = new PipedOutputStream(in);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.write(7); }, () -> { check(in.available() == 1); c.v++; });
        });
        ordered("PipedInputStream: a reader that waits, through InputStream", () -> {
            PipedInputStream piped = new PipedInputStream();
            InputStream in = piped;
            PipedOutputStream out = new PipedOutputStream(piped);
            Cell c = new Cell();
            Thread t = start(() -> { check(in.read() == 7); use(c.v); });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; out.write(7); out.flush(); });
            Stage.ended(t);
        });
    }

    /** Mostly there are other streams around the ends. */
    private static void wrapped() {
        ordered("PrintStream, BufferedReader", () -> {
            PipedInputStream in = new PipedInputStream();
            PrintStream out = new PrintStream(new PipedOutputStream(in), true);
            BufferedReader lines = new BufferedReader(new InputStreamReader(in));
            Cell c = new Cell();
            Thread t = start(() -> { check(lines.readLine().equals("go")); use(c.v); });
            inTurn(() -> { c.v = 1; out.println("go"); out.close(); });
            Stage.ended(t);
        });
        races("PrintStream, BufferedReader: written after", () -> {
            PipedInputStream in = new PipedInputStream();
            PrintStream out = new PrintStream(new PipedOutputStream(in), true);
            BufferedReader lines = new BufferedReader(new InputStreamReader(in));
            Cell c = new Cell();
            inTurn(
                    () -> { out.println("go"); c.v = 1; }, // expect race
                    () -> { check(lines.ready()); c.v++; }); // expect race
        });
        ordered("DataOutputStream, DataInputStream", () -> {
            PipedInputStream piped = new PipedInputStream();
            DataOutputStream out = new DataOutputStream(new PipedOutputStream(piped));
            DataInputStream in = new DataInputStream(piped);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.writeInt(7); }, () -> { check(in.readInt() == 7); c.v++; });
        });
        ordered("ObjectOutputStream, ObjectInputStream", () -> {
            PipedInputStream piped = new PipedInputStream();
            ObjectOutputStream out = new ObjectOutputStream(new PipedOutputStream(piped));
            out.flush();
            ObjectInputStream in = new ObjectInputStream(piped);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.writeObject("go"); out.flush(); }, () -> {
                check(in.readObject().equals("go"));
                c.v++;
            });
        });
        ordered("Scanner", () -> {
            PipedInputStream piped = new PipedInputStream();
            PrintStream out = new PrintStream(new PipedOutputStream(piped), true);
            Cell c = new Cell();
            Thread t = start(() -> { check(new Scanner(piped).nextInt() == 7); use(c.v); });
            inTurn(() -> { c.v = 1; out.println("7"); out.close(); });
            Stage.ended(t);
        });
    }

    private static void characters() {
        ordered("PipedWriter: write, read", () -> {
            PipedReader in = new PipedReader();
            PipedWriter out = new PipedWriter(in);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.write('x'); }, () -> { check(in.read() == 'x'); c.v++; });
        });
        races("PipedWriter: written after", () -> {
            PipedReader in = new PipedReader();
            PipedWriter out = new PipedWriter(in);
            Cell c = new Cell();
            inTurn(
                    () -> { out.write("x"); c.v = 1; }, // expect race
                    () -> { check(in.read() == 'x'); c.v++; }); // expect race
        });
        ordered("PrintWriter on a PipedWriter", () -> {
            PipedReader in = new PipedReader();
            PrintWriter out = new PrintWriter(new PipedWriter(in));
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; out.print('x'); out.flush(); }, () -> { check(in.read() == 'x'); c.v++; });
        });
        races("PipedReader: ready() said no", () -> {
            PipedReader in = new PipedReader();
            PipedWriter out = new PipedWriter(in);
            PipedReader other = new PipedReader();
            PipedWriter toOther = new PipedWriter(other);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; out.write('x'); toOther.flush(); }, // expect race
                    () -> { check(!other.ready()); c.v++; }); // expect race
        });
    }

    private static void channels() {
        ordered("Pipe: write, read", () -> {
            Pipe pipe = Pipe.open();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; pipe.sink().write(ByteBuffer.allocate(1)); },
                    () -> { check(pipe.source().read(ByteBuffer.allocate(1)) == 1); c.v++; });
            pipe.sink().close();
            pipe.source().close();
        });
        races("Pipe: written after", () -> {
            Pipe pipe = Pipe.open();
            Cell c = new Cell();
            inTurn(
                    () -> { pipe.sink().write(ByteBuffer.allocate(1)); c.v = 1; }, // expect race
                    () -> { check(pipe.source().read(ByteBuffer.allocate(1)) == 1); c.v++; }); // expect race
            pipe.sink().close();
            pipe.source().close();
        });
        races("Pipe: nothing was there", () -> {
            Pipe pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            Pipe other = Pipe.open();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; other.sink().write(ByteBuffer.allocate(1)); }, // expect race
                    () -> { check(pipe.source().read(ByteBuffer.allocate(1)) == 0); c.v++; }); // expect race
            pipe.sink().close();
            pipe.source().close();
            other.sink().close();
            other.source().close();
        });
    }

    /** What locks and hands nothing over. */
    private static void nothing() {
        races("FileLock is the process's", () -> {
            Path file = Files.createTempFile("order", "");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                Cell c = new Cell();
                inTurn(
                        () -> { try (FileLock l = channel.lock()) { c.v = 1; } }, // expect race
                        () -> { try (FileLock l = channel.lock()) { c.v++; } }); // expect race
            }
            Files.delete(file);
        });
        races("two who print to one stream", () -> {
            PrintStream out = new PrintStream(new java.io.ByteArrayOutputStream());
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; out.println("one"); }, // expect race
                    () -> { out.println("two"); c.v++; }); // expect race
        });
    }
}
