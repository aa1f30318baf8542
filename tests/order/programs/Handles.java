package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Accesses by handles and by name: VarHandle with its modes, MethodHandle, reflection, sun.misc.Unsafe. */
final class Handles {
    static final class Target {
        int n;
        int m;
        int k;
        volatile int flag;
        volatile int mark;
        static int shared;
        static int named;
        static final VarHandle N;
        static final VarHandle M;
        static final VarHandle SHARED;
        static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
        static final MethodHandle GET;
        static final MethodHandle SET;
        static final MethodHandle GET_MARK;
        static final MethodHandle SET_MARK;
        static final Field FIELD;
        static final Field STATIC;
        static final Field FLAG;
        static final Unsafe UNSAFE;
        static final long OFFSET;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                N = lookup.findVarHandle(Target.class, "n", int.class);
                M = lookup.findVarHandle(Target.class, "m", int.class);
                SHARED = lookup.findStaticVarHandle(Target.class, "shared", int.class);
                GET = lookup.findGetter(Target.class, "k", int.class);
                SET = lookup.findSetter(Target.class, "k", int.class);
                GET_MARK = lookup.findGetter(Target.class, "mark", int.class);
                SET_MARK = lookup.unreflectSetter(Target.class.getDeclaredField("mark"));
                STATIC = Target.class.getDeclaredField("named");
                FIELD = Target.class.getDeclaredField("k");
                FLAG = Target.class.getDeclaredField("flag");
                Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
                unsafe.setAccessible(true);
                UNSAFE = (Unsafe) unsafe.get(null);
                OFFSET = UNSAFE.objectFieldOffset(FIELD);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    static void run() {
        modes();
        elements();
        byName();
    }

    /** VarHandle's modes: what each orders, and that no mode but plain races with another of its kind. */
    private static void modes() {
        ordered("VarHandle: setVolatile, getVolatile", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Target.N.setVolatile(t, 1); }, () -> { check((int) Target.N.getVolatile(t) == 1); use(c.v); });
        });
        races("VarHandle: another variable", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Target.N.setVolatile(t, 1); }, // expect race
                    () -> { use((int) Target.M.getVolatile(t)); use(c.v); }); // expect race
        });
        ordered("VarHandle: setRelease, getAcquire", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Target.N.setRelease(t, 1); }, () -> { check((int) Target.N.getAcquire(t) == 1); use(c.v); });
        });
        races("VarHandle: setRelease, getOpaque", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        Target.N.setRelease(t, 1);
                    },
                    () -> {
                        use((int) Target.N.getOpaque(t));
                        use(c.v); // expect race
                    });
        });
        // Opaque accesses are atomic and coherent for one variable: no race of their own, no order for others.
        races("VarHandle: setOpaque, getOpaque", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        Target.N.setOpaque(t, 1);
                    },
                    () -> {
                        use((int) Target.N.getOpaque(t));
                        use(c.v); // expect race
                    });
        });
        races("VarHandle: set, get are plain accesses", () -> {
            Target t = new Target();
            inTurn(
                    () -> Target.N.set(t, 1), // expect race
                    () -> use((int) Target.N.get(t))); // expect race
        });
        races("VarHandle: set, and the field itself", () -> {
            Target t = new Target();
            inTurn(
                    () -> Target.N.set(t, 1), // expect race
                    () -> use(t.n)); // expect race
        });
        races("VarHandle: a plain write is no part of volatile mode", () -> {
            Target t = new Target();
            inTurn(
                    () -> t.n = 1, // expect race
                    () -> use((int) Target.N.getVolatile(t))); // expect race
        });
        races("VarHandle: a static field", () -> {
            new Target();
            inTurn(
                    () -> Target.SHARED.set(1), // expect race
                    () -> use(Target.shared)); // expect race
        });
        races("VarHandle: a plain read is no part of volatile mode", () -> {
            Target t = new Target();
            inTurn(
                    () -> Target.N.setVolatile(t, 1), // expect race
                    () -> use(t.n)); // expect race
        });
        races("VarHandle: a plain write, an opaque one, and another opaque one", () -> {
            Target t = new Target();
            inTurn(
                    () -> { t.n = 1; Target.N.setOpaque(t, 2); }, // expect race
                    () -> use((int) Target.N.getOpaque(t))); // expect race
        });
        races("VarHandle: a plain read, and getAndAdd", () -> {
            Target t = new Target();
            inTurn(
                    () -> use(t.n), // expect race
                    () -> Target.N.getAndAdd(t, 1)); // expect race
        });
        ordered("VarHandle: a plain write before setVolatile is known to who has read that", () -> {
            Target t = new Target();
            inTurn(
                    () -> { t.n = 1; Target.N.setVolatile(t, 2); },
                    () -> { check((int) Target.N.getVolatile(t) == 2); use(t.n); t.n = 3; },
                    () -> { });
        });
        ordered("VarHandle: a plain write, getAndAdd, getAndAdd, a plain read", () -> {
            Target t = new Target();
            inTurn(
                    () -> { t.n = 1; Target.N.getAndAdd(t, 1); },
                    () -> Target.N.getAndAdd(t, 1),
                    () -> { check(Target.N.compareAndSet(t, 3, 4)); use(t.n); });
        });
        ordered("VarHandle: compareAndSet", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(Target.N.compareAndSet(t, 0, 1)); },
                    () -> { check(Target.N.compareAndSet(t, 1, 2)); c.v++; },
                    () -> { check(!Target.N.compareAndSet(t, 1, 2)); });
        });
        ordered("VarHandle: a compareAndSet that fails has read", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Target.N.setVolatile(t, 1); }, () -> { check(!Target.N.compareAndSet(t, 0, 2)); use(c.v); });
        });
        races("VarHandle: a compareAndSet that fails has not written", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        check(!Target.N.compareAndSet(t, 5, 6));
                    },
                    () -> {
                        use((int) Target.N.getVolatile(t));
                        use(c.v); // expect race
                    });
        });
        ordered("VarHandle: getAndAdd, getAndSet, compareAndExchange, getAndBitwiseOr", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Target.N.getAndAdd(t, 1); },
                    () -> { Target.N.getAndSet(t, 2); c.v++; Target.N.compareAndExchange(t, 2, 3); },
                    () -> { Target.N.getAndBitwiseOr(t, 4); c.v++; Target.N.getAndAddRelease(t, 1); },
                    () -> { Target.N.getAndAddAcquire(t, 1); c.v++; });
        });
        races("VarHandle: getAndAddAcquire releases nothing", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        Target.N.getAndAddAcquire(t, 1);
                    },
                    () -> {
                        Target.N.getAndAddAcquire(t, 1);
                        use(c.v); // expect race
                    });
        });
        // Fences order a thread's own accesses; which read saw which write nobody knows: no edge.
        races("fences alone", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; VarHandle.fullFence(); }, // expect race
                    () -> { VarHandle.fullFence(); use(c.v); }); // expect race
        });
    }

    private static void elements() {
        ordered("VarHandle of array elements: one element", () -> {
            new Target();
            int[] a = new int[2];
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Target.INTS.setVolatile(a, 0, 1); }, () -> { use((int) Target.INTS.getAcquire(a, 0)); use(c.v); });
        });
        races("VarHandle of array elements: another element", () -> {
            int[] a = new int[2];
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Target.INTS.setVolatile(a, 0, 1); }, // expect race
                    () -> { use((int) Target.INTS.getVolatile(a, 1)); use(c.v); }); // expect race
        });
        races("VarHandle of array elements: plain", () -> {
            int[] a = new int[2];
            inTurn(
                    () -> Target.INTS.set(a, 0, 1), // expect race
                    () -> use(a[0])); // expect race
        });
        ordered("VarHandle of array elements: plain, neighbours", () -> {
            int[] a = new int[2];
            inTurn(() -> Target.INTS.set(a, 0, 1), () -> use(a[1]));
        });
    }

    private static void byName() {
        races("MethodHandle: setter, getter", () -> {
            Target t = new Target();
            inTurn(
                    () -> { Target.SET.invokeExact(t, 1); }, // expect race
                    () -> use((int) Target.GET.invokeExact(t))); // expect race
        });
        ordered("MethodHandle: setter, getter under a monitor", () -> {
            Target t = new Target();
            inTurn(
                    () -> { synchronized (t) { Target.SET.invokeExact(t, 1); } },
                    () -> { synchronized (t) { use((int) Target.GET.invokeExact(t)); } });
        });
        ordered("MethodHandle: setter, getter of a volatile field", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Target.SET_MARK.invokeExact(t, 1); },
                    () -> { check((int) Target.GET_MARK.invokeExact(t) == 1); use(c.v); });
        });
        races("MethodHandle: getters of a volatile field", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; use((int) Target.GET_MARK.invokeExact(t)); }, // expect race
                    () -> { use((int) Target.GET_MARK.invokeExact(t)); use(c.v); }); // expect race
        });
        races("Field.setInt of a static field", () -> {
            new Target();
            inTurn(
                    () -> Target.STATIC.setInt(null, 1), // expect race
                    () -> use(Target.named)); // expect race
        });
        races("Field.setInt, and the field itself", () -> {
            Target t = new Target();
            inTurn(
                    () -> Target.FIELD.setInt(t, 1), // expect race
                    () -> use(t.k)); // expect race
        });
        races("Field.set, Field.get", () -> {
            Target t = new Target();
            inTurn(
                    () -> Target.FIELD.set(t, 1), // expect race
                    () -> use(Target.FIELD.get(t))); // expect race
        });
        ordered("Field.set, Field.get under a monitor", () -> {
            Target t = new Target();
            inTurn(
                    () -> { synchronized (t) { Target.FIELD.set(t, 1); } },
                    () -> { synchronized (t) { use(Target.FIELD.getInt(t)); } });
        });
        ordered("Field.set of a volatile field", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Target.FLAG.setInt(t, 1); }, () -> { check(t.flag == 1); use(c.v); });
        });
        races("Field.get of a volatile field, written after", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { t.flag = 1; c.v = 1; }, // expect race
                    () -> { use(Target.FLAG.getInt(t)); use(c.v); }); // expect race
        });
        races("Unsafe.putInt, getInt", () -> {
            Target t = new Target();
            inTurn(
                    () -> Target.UNSAFE.putInt(t, Target.OFFSET, 1), // expect race
                    () -> use(t.k)); // expect race
        });
        ordered("Unsafe.putIntVolatile, getIntVolatile", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Target.UNSAFE.putIntVolatile(t, Target.OFFSET, 1); },
                    () -> { check(Target.UNSAFE.getIntVolatile(t, Target.OFFSET) == 1); use(c.v); });
        });
        ordered("Unsafe.compareAndSwapInt", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(Target.UNSAFE.compareAndSwapInt(t, Target.OFFSET, 0, 1)); },
                    () -> { check(Target.UNSAFE.compareAndSwapInt(t, Target.OFFSET, 1, 2)); use(c.v); });
        });
        races("Unsafe.compareAndSwapInt that fails has not written", () -> {
            Target t = new Target();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(!Target.UNSAFE.compareAndSwapInt(t, Target.OFFSET, 5, 6)); }, // expect race
                    () -> { use(Target.UNSAFE.getIntVolatile(t, Target.OFFSET)); use(c.v); }); // expect race
        });
    }
}
