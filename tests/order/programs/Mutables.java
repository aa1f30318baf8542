package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Date;
import java.util.IntSummaryStatistics;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Objects of the JDK that are not thread-safe and no containers; and keys, which hand over what is attached to them. */
final class Mutables {
    static void run() {
        try {
            digests(MessageDigest.getInstance("SHA-256"), MessageDigest.getInstance("SHA-256"));
            keys();
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new AssertionError(e);
        }
        races("CRC32: two threads", () -> {
            CRC32 crc = new CRC32();
            inTurn(
                    () -> crc.update(1), // expect race
                    () -> use((int) crc.getValue())); // expect race
        });
        ordered("CRC32: one reads, then the other", () -> {
            CRC32 crc = new CRC32();
            crc.update(1);
            inTurn(() -> use((int) crc.getValue()), () -> use((int) crc.getValue()));
        });
        races("SplittableRandom: two threads", () -> {
            SplittableRandom random = new SplittableRandom(1);
            inTurn(
                    () -> use(random.nextInt()), // expect race
                    () -> use(random.nextInt())); // expect race
        });
        ordered("SplittableRandom: each with its own", () -> {
            SplittableRandom random = new SplittableRandom(1);
            SplittableRandom other = random.split();
            inTurn(() -> use(random.nextInt()), () -> use(other.nextInt()));
        });
        races("Date: set by one, read by the other", () -> {
            Date date = new Date();
            inTurn(
                    () -> date.setTime(1), // expect race
                    () -> use((int) date.getTime())); // expect race
        });
        ordered("Date: read by both", () -> {
            Date date = new Date();
            inTurn(() -> use((int) date.getTime()), () -> use(date.toString()));
        });
        races("IntSummaryStatistics: two threads", () -> {
            IntSummaryStatistics all = new IntSummaryStatistics();
            inTurn(
                    () -> all.accept(1), // expect race
                    () -> all.accept(2)); // expect race
        });
        ordered("IntSummaryStatistics: under one lock", () -> {
            IntSummaryStatistics all = new IntSummaryStatistics();
            inTurn(() -> { synchronized (all) { all.accept(1); } }, () -> { synchronized (all) { all.accept(2); } });
        });
    }

    private static void digests(MessageDigest digest, MessageDigest locked) {
        races("MessageDigest: two threads", () -> {
            inTurn(
                    () -> digest.update((byte) 1), // expect race
                    () -> digest.update((byte) 2)); // expect race
        });
        ordered("MessageDigest: under one lock", () -> {
            inTurn(
                    () -> { synchronized (locked) { locked.update((byte) 1); } },
                    () -> { synchronized (locked) { use(locked.digest()); } });
        });
    }

    private static void keys() throws IOException {
        Selector selector = Selector.open();
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        SelectionKey key = pipe.source().register(selector, SelectionKey.OP_READ);
        ordered("SelectionKey: attach, attachment", () -> {
            inTurn(() -> { Cell c = new Cell(); c.v = 1; key.attach(c); }, () -> ((Cell) key.attachment()).v++);
        });
        races("SelectionKey: written after attach", () -> {
            inTurn(
                    () -> { Cell c = new Cell(); key.attach(c); c.v = 1; }, // expect race
                    () -> ((Cell) key.attachment()).v++); // expect race
        });
    }
}
