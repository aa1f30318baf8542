package order;

import invisible.Stage;

/** One race of a field that is touched in many other places, before and after it. */
public final class History {
    private static final Object LOCK = new Object();

    static final class Account {
        int balance;

        synchronized void open() {
            balance = 1;
        }

        void book() {
            balance = 2; // expect race
        }

        int look() {
            return balance; // expect race
        }

        synchronized int audit() {
            return balance;
        }

        int close() {
            synchronized (LOCK) {
                return balance;
            }
        }
    }

    private static void run(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.start();
        Stage.ended(thread);
    }

    public static void main(String[] args) {
        Account shared = new Account();
        Account other = new Account();
        run("opener", other::open);
        run("clerk", shared::book);
        run("teller", shared::look);
        // The same place again, and others.
        run("second opener", () -> { synchronized (other) { other.open(); } });
        run("auditor", other::audit);
        run("closer", () -> new Account().close());
    }
}
