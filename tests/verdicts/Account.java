package account;

/** Paper 004, program 1 (002's "Account"): the balance is read in one critical section and written in another. */
public final class Account extends Thread {
    static final class Book {
        int balance;

        synchronized int read() {
            return balance;
        }

        void update(int amount) {
            int old = read();
            synchronized (this) {
                balance = old + amount; // violation; expect block-local stale-value causal method-consistency; plain method-consistency; run stale
            }
        }
    }

    static Book book;

    @Override
    public void run() {
        book.update(123);
    }

    public static void main(String[] args) throws InterruptedException {
        book = new Book();
        Account first = new Account();
        Account second = new Account();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
