import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An in-memory H2 database under several threads that insert, move amounts and read; prints the final sums. */
public final class H2Load {
    private static final String URL = "jdbc:h2:mem:load;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    private static final int THREADS = 4;
    private static final int ROWS = 300;

    public static void main(String[] args) throws Exception {
        try (Connection c = DriverManager.getConnection(URL);
                Statement s = c.createStatement()) {
            s.execute("create table account(id int primary key, owner varchar(40), amount bigint)");
            s.execute("create index by_owner on account(owner)");
            s.execute("create table moved(thread int, steps int)");
        }
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    work(number);
                                } catch (Throwable e) {
                                    failures.add(e);
                                }
                            });
            threads.add(thread);
            thread.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        for (Throwable e : failures) {
            e.printStackTrace();
        }
        try (Connection c = DriverManager.getConnection(URL);
                Statement s = c.createStatement()) {
            print(s, "select count(*), sum(amount), sum(id) from account");
            print(s, "select count(distinct owner), max(length(owner)) from account");
            print(s, "select thread, steps from moved order by thread");
            s.execute("shutdown");
        }
        System.out.println("failures " + failures.size());
    }

    private static void work(int number) throws Exception {
        try (Connection c = DriverManager.getConnection(URL)) {
            c.setAutoCommit(false);
            int base = number * ROWS;
            try (PreparedStatement p = c.prepareStatement("insert into account values(?, ?, ?)")) {
                for (int i = 0; i < ROWS; i++) {
                    p.setInt(1, base + i);
                    p.setString(2, "owner-" + (i % 17));
                    p.setLong(3, 100L + i);
                    p.executeUpdate();
                }
            }
            c.commit();
            // Each thread moves amounts between rows of its own range: the total must not change.
            int steps = 0;
            try (PreparedStatement p = c.prepareStatement("update account set amount = amount + ? where id = ?");
                    PreparedStatement q =
                            c.prepareStatement("select sum(amount) from account where id between ? and ?")) {
                for (int i = 0; i + 1 < ROWS; i += 3) {
                    move(p, base + i, -7);
                    move(p, base + i + 1, 7);
                    c.commit();
                    q.setInt(1, base);
                    q.setInt(2, base + ROWS - 1);
                    try (ResultSet r = q.executeQuery()) {
                        r.next();
                        if (r.getLong(1) != 100L * ROWS + (long) ROWS * (ROWS - 1) / 2) {
                            throw new IllegalStateException("the sum changed: " + r.getLong(1));
                        }
                    }
                    steps++;
                }
            }
            try (PreparedStatement p = c.prepareStatement("insert into moved values(?, ?)")) {
                p.setInt(1, number);
                p.setInt(2, steps);
                p.executeUpdate();
            }
            c.commit();
        }
    }

    private static void move(PreparedStatement p, int id, int amount) throws Exception {
        p.setInt(1, amount);
        p.setInt(2, id);
        if (p.executeUpdate() != 1) {
            throw new IllegalStateException("no row " + id);
        }
    }

    private static void print(Statement s, String query) throws Exception {
        try (ResultSet r = s.executeQuery(query)) {
            int columns = r.getMetaData().getColumnCount();
            while (r.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    line.append(i > 1 ? " " : "").append(r.getString(i));
                }
                System.out.println(line);
            }
        }
    }
}
