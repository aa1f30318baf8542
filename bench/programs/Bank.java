import java.util.SplittableRandom;

/**
 * Lock-heavy: two tellers move money between accounts, holding both accounts' monitors, always in the order of the
 * account numbers, and write a journal that has a lock of its own. Amounts are never refused, so the final balances do
 * not depend on the order of the transfers. The accounts live as long as the bank.
 */
public final class Bank {
    private static final int ACCOUNTS = 4096;
    private static final int TELLERS = 2;
    private static final int TRANSFERS = 3_000_000;
    private static final int JOURNAL_EVERY = 64;

    static final class Account {
        final int number;
        private long balance;
        private int bookings;

        Account(int number, long balance) {
            this.number = number;
            this.balance = balance;
        }

        synchronized void deposit(long amount) {
            balance += amount;
            bookings++;
        }

        synchronized void withdraw(long amount) {
            balance -= amount;
            bookings++;
        }

        synchronized long fingerprint() {
            return balance * 31 + bookings;
        }
    }

    /** A teller's own notes, brought to the journal now and then. */
    static final class Notes {
        long moved;
        int transfers;
    }

    static final class Journal {
        private long moved;
        private long transfers;

        synchronized void bring(Notes notes) {
            moved += notes.moved;
            transfers += notes.transfers;
            notes.moved = 0;
            notes.transfers = 0;
        }

        synchronized long fingerprint() {
            return moved * 17 + transfers;
        }
    }

    final class Teller extends Thread {
        private final SplittableRandom choice;

        Teller(int number) {
            super("teller-" + number);
            choice = new SplittableRandom(1000 + number);
        }

        @Override
        public void run() {
            Notes notes = new Notes();
            for (int i = 0; i < TRANSFERS; i++) {
                Account from = accounts[choice.nextInt(ACCOUNTS)];
                Account to = accounts[choice.nextInt(ACCOUNTS)];
                if (from == to) {
                    continue;
                }
                long amount = 1 + choice.nextInt(100);
                transfer(from, to, amount);
                notes.moved += amount;
                notes.transfers++;
                if (i % JOURNAL_EVERY == 0) {
                    journal.bring(notes);
                }
            }
            journal.bring(notes);
        }
    }

    private final Account[] accounts = new Account[ACCOUNTS];
    private final Journal journal = new Journal();

    private Bank() {
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = new Account(i, 10_000);
        }
    }

    private static void transfer(Account from, Account to, long amount) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.withdraw(amount);
                to.deposit(amount);
            }
        }
    }

    private long business() throws InterruptedException {
        Thread[] tellers = new Thread[TELLERS];
        for (int t = 0; t < TELLERS; t++) {
            tellers[t] = new Teller(t);
            tellers[t].start();
        }
        for (Thread teller : tellers) {
            teller.join();
        }
        long sum = journal.fingerprint();
        for (Account account : accounts) {
            sum = sum * 1_000_003 + account.fingerprint();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new Bank()::business);
    }
}
