import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** Flow: a SubmissionPublisher calls its subscriber, with main's items, in a pool thread. */
public class Publishers {
    static class Item {
        int received;
    }

    static class Subscriber implements Flow.Subscriber<Item> {
        final CountDownLatch done = new CountDownLatch(1);
        int items;
        int locally;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(10);
        }

        @Override
        public void onNext(Item item) {
            item.received++; // shared: received
            items++; // shared: items
        }

        @Override
        public void onError(Throwable thrown) {
            done.countDown();
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        Subscriber subscriber = new Subscriber();
        Item item = new Item();
        item.received = 1; // shared: received
        try (SubmissionPublisher<Item> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(subscriber);
            publisher.submit(item);
        }
        subscriber.done.await();
        System.out.println(item.received + subscriber.items); // shared: received, items
        Subscriber own = new Subscriber();
        own.locally++; // local: locally
        own.onNext(new Item());
        System.out.println(own.locally); // local: locally
    }
}
