package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import invisible.Web;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * java.net.http says nothing of memory, but its answers come as futures, and subscribers are those of Flow, called one
 * call after the other. What is sent through a socket orders nothing.
 */
final class Clients {
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Takes a body in itself, and says when it is done. */
    static final class Body implements HttpResponse.BodySubscriber<Cell> {
        final CompletableFuture<Cell> done = new CompletableFuture<>();
        final Cell c;
        int calls;

        Body(Cell c) {
            this.c = c;
            calls = 1;
        }

        @Override
        public void onSubscribe(Flow.Subscription s) {
            calls++;
            c.v++;
            s.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {
            calls++;
            c.v++;
        }

        @Override
        public void onError(Throwable e) {
            done.completeExceptionally(e);
        }

        @Override
        public void onComplete() {
            calls++;
            c.v++;
            done.complete(c);
        }

        @Override
        public CompletionStage<Cell> getBody() {
            return done;
        }
    }

    /** A handler that is no lambda. */
    static final class Handler implements HttpResponse.BodyHandler<Cell> {
        final Cell c;

        Handler(Cell c) {
            this.c = c;
        }

        @Override
        public HttpResponse.BodySubscriber<Cell> apply(HttpResponse.ResponseInfo info) {
            c.v++;
            return new Body(c);
        }
    }

    static final class Lines implements Flow.Subscriber<String> {
        final Cell c;

        Lines(Cell c) {
            this.c = c;
        }

        @Override
        public void onSubscribe(Flow.Subscription s) {
            s.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            c.v++;
        }

        @Override
        public void onError(Throwable e) {
            throw new AssertionError(e);
        }

        @Override
        public void onComplete() {
            c.v++;
        }
    }

    /** Two answers at once into one. */
    static final class RacingLines implements Flow.Subscriber<String> {
        final Cell c;
        final Stage s;

        RacingLines(Cell c, Stage s) {
            this.c = c;
            this.s = s;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            c.v++; // expect race
        }

        @Override
        public void onError(Throwable e) {
            throw new AssertionError(e);
        }

        @Override
        public void onComplete() {
            s.reach(1);
        }
    }

    static final class Question implements HttpRequest.BodyPublisher {
        final Cell c;

        Question(Cell c) {
            this.c = c;
        }

        @Override
        public long contentLength() {
            return 3;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            c.v++;
            HttpRequest.BodyPublishers.ofString("why").subscribe(subscriber);
        }
    }

    static final class LateQuestion implements HttpRequest.BodyPublisher {
        final Cell c;
        final Stage s;

        LateQuestion(Cell c, Stage s) {
            this.c = c;
            this.s = s;
        }

        @Override
        public long contentLength() {
            return 3;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            s.await(1);
            c.v++; // expect race
            HttpRequest.BodyPublishers.ofString("why").subscribe(subscriber);
        }
    }

    static final class Listener implements WebSocket.Listener {
        final Stage s;
        int calls;

        Listener(Stage s) {
            this.s = s;
        }

        @Override
        public void onOpen(WebSocket socket) {
            calls++;
            socket.request(1);
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            calls++;
            s.reach(calls);
            socket.request(1);
            return null;
        }
    }

    static final class LateListener implements WebSocket.Listener {
        final Stage s;
        int calls;

        LateListener(Stage s) {
            this.s = s;
        }

        @Override
        public void onOpen(WebSocket socket) {
            s.await(1);
            calls++; // expect race
            s.reach(2);
        }
    }

    static void run() {
        URI server;
        URI talker;
        try {
            server = Web.serve();
            talker = Web.talk("one", "two", "three");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        HttpRequest get = HttpRequest.newBuilder(server).build();
        answers(get);
        subscribers(get);
        questions(server);
        sockets(talker);
    }

    private static void answers(HttpRequest get) {
        ordered("HttpClient.send: the handler of the answer", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            CLIENT.send(get, info -> {
                c.v++;
                return BodySubscribers.ofString(StandardCharsets.UTF_8);
            });
            c.v++;
        }));
        ordered("HttpClient.sendAsync: join", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            CompletableFuture<HttpResponse<String>> answer = CLIENT.sendAsync(get, info -> {
                c.v++;
                return BodySubscribers.ofString(StandardCharsets.UTF_8);
            });
            answer.join();
            c.v++;
        }));
        ordered("HttpClient.sendAsync: a stage behind it", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            CLIENT.sendAsync(get, new Handler(c)).thenApply(HttpResponse::body).thenAccept(body -> body.v++).join();
            c.v++;
        }));
        races("HttpClient.sendAsync: written after", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            CompletableFuture<HttpResponse<String>> answer = CLIENT.sendAsync(get, info -> {
                s.await(1);
                c.v++; // expect race
                return BodySubscribers.ofString(StandardCharsets.UTF_8);
            });
            c.v = 1; // expect race
            s.reach(1);
            answer.join();
        }));
        races("HttpClient.sendAsync: nobody waits", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            CLIENT.sendAsync(get, info -> {
                c.v++; // expect race
                s.reach(1);
                return BodySubscribers.ofString(StandardCharsets.UTF_8);
            });
            s.await(1);
            c.v++; // expect race
        }));
        races("HttpClient.send: the answer to another request", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            CLIENT.sendAsync(get, info -> {
                c.v++; // expect race
                s.reach(1);
                return BodySubscribers.ofString(StandardCharsets.UTF_8);
            });
            s.await(1);
            check(CLIENT.send(get, BodyHandlers.ofString()).statusCode() == 200);
            c.v++; // expect race
        }));
    }

    private static void subscribers(HttpRequest get) {
        ordered("BodySubscriber: one call and the next, then send", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            use(CLIENT.send(get, new Handler(c)).body().v);
            c.v++;
        }));
        ordered("BodySubscriber: made by a lambda", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            use(CLIENT.send(get, info -> new Body(c)).body().v);
            c.v++;
        }));
        ordered("BodyHandlers.fromLineSubscriber, and what its end makes", () -> inTurn(() -> {
            Cell c = new Cell();
            HttpResponse.BodyHandler<Integer> handler = BodyHandlers.fromLineSubscriber(new Lines(c), lines -> ++lines.c.v, null);
            c.v = 1;
            CLIENT.send(get, handler);
            c.v++;
        }));
        ordered("BodyHandlers.fromLineSubscriber", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            CLIENT.send(get, BodyHandlers.fromLineSubscriber(new Lines(c)));
            c.v++;
        }));
        races("BodyHandlers.fromLineSubscriber: nobody waits", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            CLIENT.sendAsync(get, BodyHandlers.fromLineSubscriber(new RacingLines(c, s)));
            s.await(1);
            c.v++; // expect race
        }));
        ordered("BodySubscribers.mapping", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            CLIENT.send(get, info -> BodySubscribers.mapping(new Body(c), body -> body.v++));
            c.v++;
        }));
        ordered("BodyHandlers.ofByteArrayConsumer", () -> inTurn(() -> {
            Cell c = new Cell();
            c.v = 1;
            CLIENT.send(get, BodyHandlers.ofByteArrayConsumer(bytes -> c.v++));
            c.v++;
        }));
        races("BodyHandlers.ofByteArrayConsumer: nobody waits", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            CLIENT.sendAsync(get, BodyHandlers.ofByteArrayConsumer(bytes -> {
                c.v++; // expect race
                s.reach(1);
            }));
            s.await(1);
            c.v++; // expect race
        }));
    }

    private static void questions(URI server) {
        ordered("BodyPublisher: send, subscribe", () -> inTurn(() -> {
            Cell c = new Cell();
            HttpRequest post = HttpRequest.newBuilder(server).POST(new Question(c)).build();
            c.v = 1;
            CLIENT.send(post, BodyHandlers.ofString());
        }));
        races("BodyPublisher: written after send", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            HttpRequest post = HttpRequest.newBuilder(server).POST(new LateQuestion(c, s)).build();
            CompletableFuture<HttpResponse<String>> answer = CLIENT.sendAsync(post, BodyHandlers.ofString());
            c.v = 1; // expect race
            s.reach(1);
            answer.join();
        }));
    }

    private static void sockets(URI talker) {
        ordered("WebSocket.Listener: buildAsync, and one call and the next", () -> inTurn(() -> {
            Stage s = new Stage();
            Listener listener = new Listener(s);
            listener.calls = 0;
            WebSocket socket = CLIENT.newWebSocketBuilder().buildAsync(talker, listener).join();
            s.await(4);
            socket.abort();
        }));
        races("WebSocket.Listener: written after buildAsync", () -> inTurn(() -> {
            Stage s = new Stage();
            LateListener listener = new LateListener(s);
            // One that answers at once may be so quick that buildAsync itself calls the listener.
            CompletableFuture<WebSocket> made = CLIENT.newWebSocketBuilder().buildAsync(Web.talkAfter(s, 1), listener);
            listener.calls = 1; // expect race
            s.reach(1);
            s.await(2);
            made.join().abort();
        }));
    }
}
