package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import invisible.Stage;
import invisible.Web;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.PreferenceChangeListener;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/**
 * Objects that threads of the JDK call: handlers of an HTTP server, remote objects, managed beans, listeners to
 * notifications and preferences. Whoever registers one comes before its calls; what comes over a socket orders nothing.
 */
final class Servers {
    private static HttpServer server() throws IOException {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    static final class Handler implements HttpHandler {
        int calls;

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            calls++;
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        }
    }

    static final class LateHandler implements HttpHandler {
        int calls;

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            calls++; // expect race
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        }
    }

    interface Calls extends Remote {
        int call() throws RemoteException;
    }

    static final class Remotely implements Calls {
        int calls;

        @Override
        public int call() {
            return calls++;
        }
    }

    static final class LateRemotely implements Calls {
        int calls;

        @Override
        public int call() {
            return calls++; // expect race
        }
    }

    public interface CountMBean {
        int getCalls();
    }

    public static final class Count implements CountMBean {
        int calls;

        @Override
        public int getCalls() {
            return calls;
        }
    }

    public static final class LateCount implements CountMBean {
        int calls;

        @Override
        public int getCalls() {
            return calls; // expect race
        }
    }

    static final class Memory extends AbstractPreferences {
        Memory() {
            super(null, "");
        }

        @Override
        protected void putSpi(String key, String value) {}

        @Override
        protected String getSpi(String key) {
            return null;
        }

        @Override
        protected void removeSpi(String key) {}

        @Override
        protected void removeNodeSpi() {}

        @Override
        protected String[] keysSpi() {
            return new String[0];
        }

        @Override
        protected String[] childrenNamesSpi() {
            return new String[0];
        }

        @Override
        protected AbstractPreferences childSpi(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void syncSpi() {}

        @Override
        protected void flushSpi() {}
    }

    static void run() {
        handlers();
        remoteObjects();
        beans();
        notifications();
        preferences();
    }

    private static void handlers() {
        ordered("HttpServer: createContext and start, the handler", () -> {
            HttpServer server = server();
            inTurn(
                    () -> {
                        Handler handler = new Handler();
                        server.createContext("/", handler);
                        handler.calls = 1;
                        server.start();
                    },
                    () -> Web.ask(server.getAddress().getPort()));
            server.stop(0);
        });
        ordered("HttpServer: a lambda", () -> {
            HttpServer server = server();
            inTurn(
                    () -> {
                        Cell c = new Cell();
                        c.v = 1;
                        server.createContext("/", exchange -> {
                            c.v++;
                            exchange.sendResponseHeaders(204, -1);
                            exchange.close();
                        });
                        server.start();
                    },
                    () -> Web.ask(server.getAddress().getPort()));
            server.stop(0);
        });
        races("HttpServer: written after start", () -> {
            HttpServer server = server();
            inTurn(
                    () -> {
                        LateHandler handler = new LateHandler();
                        server.createContext("/", handler);
                        server.start();
                        handler.calls = 1; // expect race
                    },
                    () -> Web.ask(server.getAddress().getPort()));
            server.stop(0);
        });
        races("HttpServer: a lambda, called by two threads", () -> {
            HttpServer server = server();
            server.setExecutor(task -> new Thread(task).start());
            Cell c = new Cell();
            server.createContext("/", exchange -> {
                c.v++; // expect race
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.start();
            Web.ask(server.getAddress().getPort());
            Web.ask(server.getAddress().getPort());
            server.stop(0);
        });
    }

    private static void remoteObjects() {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        ordered("exportObject, a remote call", () -> {
            Remotely remote = new Remotely();
            Remote[] stub = new Remote[1];
            Stage s = new Stage();
            inTurn(() -> {
                remote.calls = 1;
                stub[0] = UnicastRemoteObject.exportObject(remote, 0);
                use(((Calls) stub[0]).call());
            });
            UnicastRemoteObject.unexportObject(remote, true);
        });
        races("exportObject: written after", () -> {
            LateRemotely remote = new LateRemotely();
            inTurn(() -> {
                Remote stub = UnicastRemoteObject.exportObject(remote, 0);
                remote.calls = 1; // expect race
                use(((Calls) stub).call());
            });
            UnicastRemoteObject.unexportObject(remote, true);
        });
    }

    private static void beans() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ordered("registerMBean, getAttribute", () -> {
            ObjectName name = new ObjectName("order:name=count");
            inTurn(
                    () -> {
                        Count count = new Count();
                        count.calls = 1;
                        server.registerMBean(new javax.management.StandardMBean(count, CountMBean.class), name);
                    },
                    () -> use((int) server.getAttribute(name, "Calls")));
            server.unregisterMBean(name);
        });
        races("registerMBean: written after", () -> {
            ObjectName name = new ObjectName("order:name=late");
            inTurn(
                    () -> {
                        LateCount count = new LateCount();
                        server.registerMBean(new javax.management.StandardMBean(count, CountMBean.class), name);
                        count.calls = 1; // expect race
                    },
                    () -> use((int) server.getAttribute(name, "Calls")));
            server.unregisterMBean(name);
        });
    }

    private static void notifications() {
        ordered("addNotificationListener and sendNotification, the listener", () -> {
            NotificationBroadcasterSupport all = new NotificationBroadcasterSupport();
            Cell c = new Cell();
            Cell sent = new Cell();
            NotificationListener listener = (n, back) -> use(c.v + sent.v);
            inTurn(
                    () -> { c.v = 1; all.addNotificationListener(listener, null, null); },
                    () -> { sent.v = 1; all.sendNotification(new Notification("t", "s", 1)); },
                    () -> all.removeNotificationListener(listener));
        });
        races("addNotificationListener: written after", () -> {
            NotificationBroadcasterSupport all = new NotificationBroadcasterSupport();
            Cell c = new Cell();
            NotificationListener listener = (n, back) -> use(c.v); // expect race
            inTurn(
                    () -> { all.addNotificationListener(listener, null, null); c.v = 1; }, // expect race
                    () -> all.sendNotification(new Notification("t", "s", 1)));
        });
    }

    private static void preferences() {
        ordered("Preferences: addPreferenceChangeListener and put, the listener", () -> {
            Memory preferences = new Memory();
            Stage s = new Stage();
            Cell c = new Cell();
            Cell put = new Cell();
            PreferenceChangeListener listener = change -> { use(c.v + put.v); s.reach(1); };
            inTurn(
                    () -> { c.v = 1; preferences.addPreferenceChangeListener(listener); },
                    () -> { put.v = 1; preferences.put("k", "v"); s.await(1); });
            preferences.removePreferenceChangeListener(listener);
        });
        races("Preferences: written after put", () -> {
            Memory preferences = new Memory();
            Stage s = new Stage();
            Cell c = new Cell();
            preferences.addPreferenceChangeListener(change -> {
                s.await(1);
                use(c.v); // expect race
                s.reach(2);
            });
            inTurn(() -> {
                preferences.put("k", "v");
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
        });
    }
}
