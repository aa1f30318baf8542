// expect none
import java.util.Random;

// The paper's "bank": eight threads move money between accounts. Both accounts are locked, in the order of their numbers.
class Bank {
    private static final int THREADS = 8;
    private static final int TRANSACTIONS = 2_000;

    private final Account[] accounts = new Account[10];

    Bank() {
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = new Account(i, 1_000);
        }
    }

    void transfer(Account from, Account to, int amount) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.balance() >= amount) {
                    from.add(-amount);
                    to.add(amount);
                }
            }
        }
    }

    void trade(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < TRANSACTIONS; i++) {
            Account from = accounts[random.nextInt(accounts.length)];
            Account to = accounts[random.nextInt(accounts.length)];
            if (from != to) {
                transfer(from, to, random.nextInt(100));
            }
            Thread.yield();
        }
    }

    long total() {
        long sum = 0;
        for (Account account : accounts) {
            sum += account.balance();
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        Bank bank = new Bank();
        Thread[] tellers = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            tellers[i] = new Thread(() -> bank.trade(seed), "teller-" + i);
            tellers[i].start();
        }
        for (Thread teller : tellers) {
            teller.join();
        }
        System.out.println("total " + bank.total());
    }
}
