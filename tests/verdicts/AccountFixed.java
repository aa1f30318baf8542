package accountfixed;

/** Paper 004, program 2: the account of program 1, put right. The lock that read() takes is held already. */
public final class AccountFixed extends Thread {
    static final class Book {
        int balance;

        synchronized int read() {
            return balance;
        }

        synchronized void update(int amount) {
            int old = read();
            balance = old + amount;
        }
    }

    static Book book;

    @Override
    public void run() {
        book.update(123);
    }

    public static void main(String[] args) throws InterruptedException {
        book = new Book();
        AccountFixed first = new AccountFixed();
        AccountFixed second = new AccountFixed();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
