import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/**
 * Two clients of an in-memory H2 database: orders are inserted, money moves between accounts of the client's own
 * branch, sums are read back, every step a transaction. Statements, parser, planner and storage are all H2's.
 */
public final class H2Transactions {
    private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    private static final int CLIENTS = 2;
    private static final int ACCOUNTS = 500;
    private static final int TRANSACTIONS = 2_500;

    /** A client's branch is its own range of keys: what it ends with does not depend on the other client. */
    static final class Client extends Thread {
        private final int branch;
        private long seen;
        private Exception failure;

        Client(int branch) {
            super("client-" + branch);
            this.branch = branch;
        }

        @Override
        public void run() {
            try (Connection connection = DriverManager.getConnection(URL)) {
                connection.setAutoCommit(false);
                open(connection);
                trade(connection);
            } catch (Exception e) {
                failure = e;
            }
        }

        private void open(Connection connection) throws Exception {
            try (PreparedStatement insert = connection.prepareStatement("insert into account values(?, ?, ?, ?)")) {
                for (int i = 0; i < ACCOUNTS; i++) {
                    insert.setInt(1, branch * ACCOUNTS + i);
                    insert.setInt(2, branch);
                    insert.setString(3, "owner-" + i % 37);
                    insert.setLong(4, 1000);
                    insert.executeUpdate();
                }
            }
            connection.commit();
        }

        private void trade(Connection connection) throws Exception {
            try (PreparedStatement move =
                            connection.prepareStatement("update account set amount = amount + ? where id = ?");
                    PreparedStatement order =
                            connection.prepareStatement("insert into orders(account, goods, price) values(?, ?, ?)");
                    PreparedStatement best =
                            connection.prepareStatement(
                                    "select owner, sum(amount) from account where branch = ? and id >= ? and id < ?"
                                            + " group by owner order by 2 desc, 1 limit 3")) {
                for (int i = 0; i < TRANSACTIONS; i++) {
                    int from = branch * ACCOUNTS + i * 7 % ACCOUNTS;
                    int to = branch * ACCOUNTS + i * 13 % ACCOUNTS;
                    int price = 1 + i % 19;
                    order.setInt(1, from);
                    order.setString(2, "goods " + i % 101);
                    order.setLong(3, price);
                    order.executeUpdate();
                    add(move, from, -price);
                    add(move, to, price);
                    connection.commit();
                    if (i % 5 == 0) {
                        read(best, i);
                    }
                }
            }
        }

        private static void add(PreparedStatement move, int account, int amount) throws Exception {
            move.setInt(1, amount);
            move.setInt(2, account);
            if (move.executeUpdate() != 1) {
                throw new IllegalStateException("no account " + account);
            }
        }

        private void read(PreparedStatement best, int i) throws Exception {
            int first = branch * ACCOUNTS + i % (ACCOUNTS / 2);
            best.setInt(1, branch);
            best.setInt(2, first);
            best.setInt(3, first + ACCOUNTS / 4);
            try (ResultSet rows = best.executeQuery()) {
                while (rows.next()) {
                    seen = seen * 31 + rows.getString(1).hashCode() + rows.getLong(2);
                }
            }
        }
    }

    private static long business() throws Exception {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("drop all objects");
            statement.execute(
                    "create table account(id int primary key, branch int, owner varchar(40), amount bigint)");
            statement.execute(
                    "create table orders(id bigint auto_increment primary key, account int, goods varchar(40),"
                            + " price bigint)");
            statement.execute("create index by_account on orders(account)");
            Client[] clients = new Client[CLIENTS];
            for (int i = 0; i < CLIENTS; i++) {
                clients[i] = new Client(i);
                clients[i].start();
            }
            long sum = 0;
            for (Client client : clients) {
                client.join();
                if (client.failure != null) {
                    throw client.failure;
                }
                sum = sum * 31 + client.seen;
            }
            sum = sum * 31 + number(statement, "select sum(amount * mod(id, 97)) from account");
            return sum * 31 + number(statement, "select sum(price * mod(account, 89)) + count(*) from orders");
        }
    }

    private static long number(Statement statement, String query) throws Exception {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, H2Transactions::business);
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
    }
}
