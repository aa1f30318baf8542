package models;

import static models.Threads.silent;
import static models.Threads.two;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/** Latches, barriers, semaphores and what else threads wait for. Nothing is raced on. */
public class Latches {
    public static void main(String[] args) throws Exception {
        // latch
        {
            List<Integer> list = new ArrayList<>();
            CountDownLatch latch = new CountDownLatch(1);
            two(() -> {
                list.add(1);
                latch.countDown();
            }, () -> {
                silent(() -> {
                    latch.await();
                    return 0;
                });
                list.add(2);
            });
        }
        // latch timed
        {
            List<Integer> list = new ArrayList<>();
            CountDownLatch latch = new CountDownLatch(1);
            two(() -> {
                list.add(1);
                latch.countDown();
            }, () -> {
                if (silent(() -> latch.await(10, TimeUnit.SECONDS))) list.add(2);
            });
        }
        // semaphore
        {
            List<Integer> list = new ArrayList<>();
            Semaphore s = new Semaphore(0);
            two(() -> {
                list.add(1);
                s.release();
            }, () -> {
                s.acquireUninterruptibly();
                list.add(2);
            });
        }
        // barrier
        {
            CyclicBarrier b = new CyclicBarrier(2);
            List<Integer> x = new ArrayList<>(), y = new ArrayList<>();
            two(() -> {
                x.add(1);
                silent(b::await);
                y.add(1);
            }, () -> {
                y.add(2);
                silent(b::await);
                x.add(2);
            });
        }
        // barrier action
        {
            List<Integer> x = new ArrayList<>();
            CyclicBarrier b = new CyclicBarrier(2, () -> x.add(3));
            List<Integer> y = new ArrayList<>();
            two(() -> {
                x.add(1);
                silent(b::await);
                x.size();
            }, () -> {
                silent(b::await);
                x.size();
            });
        }
        // phaser
        {
            Phaser p = new Phaser(2);
            List<Integer> x = new ArrayList<>(), y = new ArrayList<>();
            two(() -> {
                x.add(1);
                p.arriveAndAwaitAdvance();
                y.add(1);
            }, () -> {
                y.add(2);
                p.arriveAndAwaitAdvance();
                x.add(2);
            });
        }
        // exchanger
        {
            Exchanger<List<Integer>> e = new Exchanger<>();
            Runnable side = () -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                silent(() -> e.exchange(l)).add(2);
            };
            two(side, side);
        }
        // stamped
        {
            StampedLock s = new StampedLock();
            List<Integer> list = new ArrayList<>();
            two(() -> {
                long t = s.writeLock();
                list.add(1);
                s.unlockWrite(t);
            }, () -> {
                long t = s.readLock();
                list.size();
                s.unlock(t);
            });
        }
        // interrupt
        {
            List<Integer> list = new ArrayList<>();
            Thread t = new Thread(() -> {
                try {
                    Thread.sleep(100000);
                } catch (InterruptedException e) {
                    list.add(2);
                }
            });
            t.start();
            list.add(1);
            t.interrupt();
            t.join();
        }
        // isAlive
        {
            List<Integer> list = new ArrayList<>();
            Thread t = new Thread(() -> list.add(1));
            t.start();
            while (t.isAlive()) Thread.yield();
            list.add(2);
        }
    }
}
