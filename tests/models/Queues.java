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

/** Concurrent and locked collections. Nothing is raced on. */
public class Queues {
    public static void main(String[] args) throws Exception {
        // queue
        {
            BlockingQueue<List<Integer>> q = new LinkedBlockingQueue<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                silent(() -> {
                    q.put(l);
                    return 0;
                });
            }, () -> silent(q::take).add(2));
        }
        // queue poll
        {
            ConcurrentLinkedQueue<List<Integer>> q = new ConcurrentLinkedQueue<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                q.offer(l);
            }, () -> {
                List<Integer> l;
                while ((l = q.poll()) == null) Thread.yield();
                l.add(2);
            });
        }
        // queue as Queue
        {
            Queue<List<Integer>> q = new ConcurrentLinkedQueue<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                q.add(l);
            }, () -> {
                List<Integer> l;
                while ((l = q.poll()) == null) Thread.yield();
                l.add(2);
            });
        }
        // synchronous queue
        {
            SynchronousQueue<List<Integer>> q = new SynchronousQueue<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                silent(() -> {
                    q.put(l);
                    return 0;
                });
            }, () -> silent(q::take).add(2));
        }
        // drainTo
        {
            BlockingQueue<List<Integer>> q = new ArrayBlockingQueue<>(4);
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                q.add(l);
            }, () -> {
                List<List<Integer>> all = new ArrayList<>();
                while (q.drainTo(all) == 0) Thread.yield();
                all.get(0).add(2);
            });
        }
        // map
        {
            ConcurrentMap<String, List<Integer>> m = new ConcurrentHashMap<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                m.put("k", l);
            }, () -> {
                List<Integer> l;
                while ((l = m.get("k")) == null) Thread.yield();
                l.add(2);
            });
        }
        // map computeIfAbsent
        {
            Map<String, List<Integer>> m = new ConcurrentHashMap<>();
            two(() -> m.computeIfAbsent("k", k -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                return l;
            }), () -> {
                while (!m.containsKey("k")) Thread.yield();
                m.computeIfAbsent("k", k -> new ArrayList<>()).add(2);
            });
        }
        // map iteration
        {
            Map<String, List<Integer>> m = new ConcurrentHashMap<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                m.put("k", l);
            }, () -> {
                int n = 0;
                while (n == 0) for (List<Integer> l : m.values()) {
                    l.add(2);
                    n++;
                }
            });
        }
        // map forEach
        {
            Map<String, List<Integer>> m = new ConcurrentHashMap<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                m.put("k", l);
            }, () -> {
                int[] n = {
                    0
                };
                while (n[0] == 0) m.forEach((k, l) -> {
                    l.add(2);
                    n[0]++;
                });
            });
        }
        // copy on write
        {
            List<List<Integer>> m = new CopyOnWriteArrayList<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                m.add(l);
            }, () -> {
                while (m.isEmpty()) Thread.yield();
                m.get(0).add(2);
            });
        }
        // synchronized list
        {
            List<List<Integer>> m = Collections.synchronizedList(new ArrayList<>());
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                m.add(l);
            }, () -> {
                while (m.isEmpty()) Thread.yield();
                m.get(0).size();
            });
        }
        // vector
        {
            Vector<List<Integer>> m = new Vector<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                m.add(l);
            }, () -> {
                while (m.isEmpty()) Thread.yield();
                m.get(0).size();
            });
        }
        // own synchronized subclass
        {
            List<Integer> list = new ArrayList<Integer>() {
                @Override public synchronized boolean add(Integer i) {
                    return super.add(i);
                }
            };
            two(() -> list.add(1), () -> list.add(2));
        }
    }
}
