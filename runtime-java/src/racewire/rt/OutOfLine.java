package racewire.rt;

/**
 * Calls that HotSpot must not inline. It takes what is called a hundred times for hot, however seldom it is called
 * among millions, inlines it, and then finds the hook around it too big to be inlined itself (Sor ran 3 times slower);
 * or it does so at each of a program's thousands of accesses, and compiles for minutes (H2: three quarters of what the JIT
 * compiled were slow paths of hooks). The slow path itself has such calls in it, too: otherwise each of its methods is
 * compiled with all that it calls, and all of them again whenever one does something for the first time. For the same reason a
 * method that is hot itself has the filling in it, and not a wrapper: both would be compiled, one with the other inside.
 */
final class OutOfLine {
    /** What HotSpot never inlines: methods of more than 325 bytes (FreqInlineSize), which these calls here make of them. */
    static final boolean NEVER = OutOfLine.class == null;

    private OutOfLine() { }

    /** Ten bytes of code for each number, which is made an object first. */
    static void fill(Object... numbers) { }

    /** See {@link Hooks#access}. */
    static boolean access(Class<?> user, Object owner, int site) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            Sites sites = Sites.of(user);
            if (sites == null) {
                return true;
            }
            Hooks.access(sites, owner, site);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return false;
    }

    /** See {@link Hooks#uses}. */
    static void uses(Initialisation initialized) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            ThreadTable.current().clock.learn(initialized.end);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** See {@link Sync#release}. */
    static void release(Object o) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            ThreadState me = ThreadTable.current();
            Sync.var(me, o).release(me);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** See {@link Sync#acquire}. */
    static void acquire(Object o) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            ThreadState me = ThreadTable.current();
            me.sync(o).acquire(me);
            if (Order.HYBRID && me.depth > 0 && !me.busy && Sync.isAtomic(o)) {
                Sync.var(me, o).look(me);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** See {@link Hooks#frozen}. */
    static void frozen(Object object, Class<?> declaring) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            Frozen.constructed(object, declaring);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** See {@link Containers#access}. */
    static boolean container(Class<?> user, Object o, int site) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            if (Containers.isKnown(ThreadTable.current(), o, site, user)) {
                return false;
            }
            Sites sites = Sites.of(user);
            if (sites == null) {
                return true;
            }
            Containers.takeIn(sites, o, site);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return false;
    }

    /** The same with its sites. */
    static void container(Sites sites, Object o, int site) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            if (!Containers.isKnown(ThreadTable.current(), o, site, sites.user)) {
                Containers.takeIn(sites, o, site);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** See {@link ThreadTable#mayChange}. */
    static boolean mayChange(long word, int site, Object owner) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        return !ThreadTable.knows(word, site, owner);
    }

    /** Whether the current thread is among these readers, as of now. */
    static boolean hasRead(long mark) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        return ThreadTable.hasRead(mark);
    }

    /** See {@link ArrayAccesses#element}, of the current thread. */
    static boolean element(Object array, int index, int site, Class<?> user, boolean write) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            return ThreadTable.current().arrays().element(array, index, site, user, write);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
            return false;
        }
    }

    /** See {@link ArrayAccesses#walk}, of the current thread. */
    static boolean walk(Object array, int last, int span, int stride, int site, Class<?> user, boolean write) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            return ThreadTable.current().arrays().walk(array, last, span, stride, site, user, write);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
            return false;
        }
    }

    // ---- parts of the slow path

    /** See {@link Sites#element}. */
    static void inArray(Sites sites, ThreadState me, Object array, Walk walk, int site) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        sites.element(me, array, walk, site);
    }

    /** See {@link Block#access}. */
    static boolean inBlock(Block block, ArrayAccesses by, boolean write, int site, int from, int to) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        return block.access(by.met, by.clock, write, site, by.scratch, from, to);
    }

    /** See {@link ArrayAccesses#tellAll}. */
    static void tellAll(ArrayAccesses accesses) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        accesses.tellAll();
    }

    /** See {@link Past#joined}. */
    static long[] joined(long[] a, long[] b, int slot, long time) {
        if (NEVER) {
            fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        return Past.joined(a, b, slot, time);
    }
}
