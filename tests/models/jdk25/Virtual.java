package models;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Virtual threads and what is new since 17. Nothing is raced on. */
public class Virtual {
    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>();
        list.add(0);
        Thread thread = Thread.startVirtualThread(() -> list.add(1));
        thread.join();
        list.add(2);
        thread = Thread.ofVirtual().name("v").start(() -> list.add(3));
        thread.join();
        list.add(4);
        thread = Thread.ofPlatform().unstarted(() -> list.add(5));
        list.add(6);
        thread.start();
        thread.join();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            pool.submit(() -> list.add(7)).get();
            list.add(8);
            Future<Boolean> future = pool.submit(() -> list.add(9));
            while (future.state() == Future.State.RUNNING) {
                Thread.yield();
            }
            list.add(10);
            pool.execute(() -> list.add(11));
        }
        list.add(12);
        System.out.println(list.size());
    }
}
