// expect none
/** A copy has no past: it may be used without the lock that its original has always needed. */
public class CloneSafe {
    static class Account implements Cloneable {
        int balance;
        long version;
        String owner = "x";

        @Override
        public Account clone() throws CloneNotSupportedException {
            return (Account) super.clone();
        }
    }

    static class Savings extends Account {
        double rate;

        @Override
        public Savings clone() throws CloneNotSupportedException {
            Savings copy = (Savings) super.clone();
            copy.rate += 1;
            return copy;
        }
    }

    static void use(Account account) {
        account.balance++;
        account.version++;
        account.owner = account.owner + "y";
    }

    public static void main(String[] args) {
        Account[] shared = {new Account(), new Savings()};
        Runnable task = () -> {
            for (Account account : shared) {
                try {
                    Account copy;
                    synchronized (account) {
                        use(account);
                        copy = account.clone();
                    }
                    use(copy);
                    Account again = copy.clone();
                    use(again);
                    System.out.println(copy.balance + again.owner + again.version);
                } catch (CloneNotSupportedException e) {
                    throw new AssertionError(e);
                }
            }
            Account[] copies = shared.clone();
            System.out.println(copies.length);
        };
        inTurn(task, task, task);
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
