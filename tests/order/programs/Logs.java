package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.LockedHandler;
import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * "All methods on Logger are multi-thread safe": who adds a handler, filter or formatter comes before its calls, which
 * whoever logs makes. Handlers of one's own have to lock for themselves.
 */
final class Logs {
    static final class Counting extends Handler {
        int records;

        @Override
        public void publish(LogRecord record) {
            use(records);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static final class LateCounting extends Handler {
        int records;

        @Override
        public void publish(LogRecord record) {
            records++; // expect race
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static final class Numbering extends Formatter {
        int number;

        @Override
        public String format(LogRecord record) {
            return ++number + record.getMessage();
        }
    }

    static final class RacingNumbering extends Formatter {
        int number;

        @Override
        public String format(LogRecord record) {
            return ++number + record.getMessage(); // expect race
        }
    }

    /** Formats without its lock. */
    static final class Plain extends Handler {
        @Override
        public void publish(LogRecord record) {
            use(getFormatter().format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static Logger logger() {
        Logger logger = Logger.getAnonymousLogger();
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        return logger;
    }

    static void run() {
        ordered("Logger: addHandler, log", () -> {
            Logger logger = logger();
            inTurn(
                    () -> { Counting handler = new Counting(); handler.records = 1; logger.addHandler(handler); },
                    () -> logger.info("one"),
                    () -> logger.info("two"));
        });
        races("Logger: written after addHandler", () -> {
            Logger logger = logger();
            inTurn(
                    () -> { LateCounting handler = new LateCounting(); logger.addHandler(handler); handler.records = 1; }, // expect race
                    () -> logger.info("one"));
        });
        ordered("Logger: setFilter, log", () -> {
            Logger logger = logger();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; logger.setFilter(record -> c.v == 1); }, () -> logger.info("one"));
        });
        races("Logger: written after setFilter", () -> {
            Logger logger = logger();
            Cell c = new Cell();
            Filter filter = record -> c.v == 1; // expect race
            inTurn(
                    () -> { logger.setFilter(filter); c.v = 1; }, // expect race
                    () -> logger.info("one"));
        });
        ordered("Handler: a formatter that is called under the handler's lock", () -> {
            Logger logger = logger();
            LockedHandler handler = new LockedHandler();
            logger.addHandler(handler);
            inTurn(
                    () -> { Numbering numbering = new Numbering(); numbering.number = 1; handler.setFormatter(numbering); },
                    () -> logger.info("one"),
                    () -> logger.info("two"));
        });
        races("Handler: a formatter that is called without", () -> {
            Logger logger = logger();
            Plain handler = new Plain();
            handler.setFormatter(new RacingNumbering());
            logger.addHandler(handler);
            inTurn(() -> logger.info("one"), () -> logger.info("two"));
        });
        races("Handler: one formatter under the locks of two handlers", () -> {
            RacingNumbering both = new RacingNumbering();
            Logger one = logger();
            Logger other = logger();
            LockedHandler first = new LockedHandler();
            LockedHandler second = new LockedHandler();
            first.setFormatter(both);
            second.setFormatter(both);
            one.addHandler(first);
            other.addHandler(second);
            inTurn(() -> one.info("one"), () -> other.info("two"));
        });
    }
}
