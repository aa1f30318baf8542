class Account {
    final int number;
    private long balance;

    Account(int number, long balance) {
        this.number = number;
        this.balance = balance;
    }

    synchronized long balance() {
        return balance;
    }

    synchronized void add(long amount) {
        balance += amount;
    }
}
