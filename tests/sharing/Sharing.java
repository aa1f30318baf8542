import java.util.concurrent.CountDownLatch;

/**
 * Who touches what. A line marked "touched" touches a variable that more than one thread touches in the end, one marked
 * "late" does so when another thread has already been there, and one marked "common" is late at a variable that was not
 * merely handed over, from one thread to another, once; what has no mark touches only variables of one thread.
 * Everything happens in a fixed order.
 */
public class Sharing {
    static class Box implements Cloneable {
        int alone;
        int value;
        int again;
        int locked;
        int cloned;

        Box copy() throws CloneNotSupportedException {
            return (Box) super.clone();
        }

        synchronized void lock() {
            locked = 1; //# late write locked
        }
    }

    static class Point {
        int x;
        int y;

        Point() {
            x = 1; //# touched write x
            y = 2;
        }

        int x() {
            return x; //# late read x
        }

        int y() {
            return y;
        }
    }

    static class Cell {
        int v;
    }

    static class Task {
        int handed;
        int back;
        int third;
        int sometimes;

        void run() {
            sometimes++; //# common read sometimes, common write sometimes
        }
    }

    /** More sites than a state word has bits for, and both sides of that border. */
    static class Wide {
        int n;

        void at(int... sites) {
            for (int site : sites) {
                at(site);
            }
        }

        private void at(int site) {
            switch (site) {
                case 0: at0(); break;
                case 1: at1(); break;
                case 2: at2(); break;
                case 3: at3(); break;
                case 4: at4(); break;
                case 5: at5(); break;
                case 6: at6(); break;
                case 7: at7(); break;
                case 8: at8(); break;
                case 9: at9(); break;
                case 10: at10(); break;
                case 11: at11(); break;
                case 12: at12(); break;
                case 13: at13(); break;
                case 14: at14(); break;
                case 15: at15(); break;
                case 16: at16(); break;
                case 17: at17(); break;
                case 18: at18(); break;
                case 19: at19(); break;
                case 20: at20(); break;
                case 21: at21(); break;
                case 22: at22(); break;
                case 23: at23(); break;
                case 24: at24(); break;
                case 25: at25(); break;
                case 26: at26(); break;
                case 27: at27(); break;
                case 28: at28(); break;
                case 29: at29(); break;
                case 30: at30(); break;
                case 31: at31(); break;
                case 32: at32(); break;
                case 33: at33(); break;
                case 34: at34(); break;
                case 35: at35(); break;
                case 36: at36(); break;
                case 37: at37(); break;
                case 38: at38(); break;
                case 39: at39(); break;
                case 40: at40(); break;
                case 41: at41(); break;
                case 42: at42(); break;
                case 43: at43(); break;
                case 44: at44(); break;
                default: throw new IllegalArgumentException();
            }
        }

        void at0() { n = 0; } //# touched write n
        void at1() { n = 1; } //# touched write n
        void at2() { n = 2; } //# touched write n
        void at3() { n = 3; } //# touched write n
        void at4() { n = 4; } //# touched write n
        void at5() { n = 5; } //# touched write n
        void at6() { n = 6; } //# touched write n
        void at7() { n = 7; } //# touched write n
        void at8() { n = 8; } //# touched write n
        void at9() { n = 9; } //# touched write n
        void at10() { n = 10; } //# common write n
        void at11() { n = 11; } //# touched write n
        void at12() { n = 12; } //# touched write n
        void at13() { n = 13; } //# touched write n
        void at14() { n = 14; } //# touched write n
        void at15() { n = 15; } //# touched write n
        void at16() { n = 16; } //# touched write n
        void at17() { n = 17; } //# touched write n
        void at18() { n = 18; } //# touched write n
        void at19() { n = 19; } //# touched write n
        void at20() { n = 20; } //# touched write n
        void at21() { n = 21; } //# late write n
        void at22() { n = 22; }
        void at23() { n = 23; }
        void at24() { n = 24; }
        void at25() { n = 25; }
        void at26() { n = 26; }
        void at27() { n = 27; }
        void at28() { n = 28; }
        void at29() { n = 29; }
        void at30() { n = 30; } //# common write n
        void at31() { n = 31; } //# common write n
        void at32() { n = 32; } //# common write n
        void at33() { n = 33; } //# common write n
        void at34() { n = 34; } //# common write n
        void at35() { n = 35; } //# touched write n
        void at36() { n = 36; } //# touched write n
        void at37() { n = 37; } //# touched write n
        void at38() { n = 38; } //# touched write n
        void at39() { n = 39; } //# touched write n
        void at40() { n = 40; }
        void at41() { n = 41; } //# common write n
        void at42() { n = 42; } //# touched write n
        void at43() { n = 43; } //# late write n
        void at44() { n = 44; }
    }

    static int total;
    static int mine;
    static int constant = 7;
    static int readTwice = 7;

    static void join(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
    }

    static void fields() throws Exception {
        Box box = new Box();
        for (int i = 0; i < 3; i++) {
            box.alone = i;
            join(() -> new Box().alone = 1);
        }
        box.value = 1; //# touched write value
        join(() -> {
            int read = box.value; //# late read value
        });
        // The same place before and after another thread came: the second time it is late.
        for (int i = 0; i < 3; i++) {
            box.again = i; //# common write again
            if (i == 1) {
                join(() -> {
                    int read = box.again; //# common read again
                });
            }
        }
        box.lock();
        synchronized (box) {
            box.locked = 2; //# touched write locked
        }
        join(box::lock);
    }

    static void objects() throws Exception {
        Point point = new Point();
        int y = point.y();
        join(() -> point.x());

        Box original = new Box();
        original.cloned = 1; //# touched write cloned
        join(() -> original.cloned = 2); //# late write cloned
        Box copy = original.copy();
        copy.cloned = 3;
    }

    static void statics() throws Exception {
        total = 1; //# touched write total
        mine = 1;
        join(() -> total++); //# late read total, late write total
        join(() -> {
            // Written by the class initialiser, for which everybody waits: that is no site.
            int read = constant;
        });
        join(() -> {
            int read = readTwice; //# touched read readTwice
        });
        int read = readTwice; //# late read readTwice
    }

    static void handOvers() throws Exception {
        Task task = new Task();
        task.handed = 1; //# touched write handed
        join(() -> {
            task.handed = 2; //# late write handed
            int read = task.handed; //# late read handed
        });

        task.back = 1; //# touched write back
        join(() -> {
            task.back = 2; //# common write back
            task.back++; //# common read back, common write back
        });
        int back = task.back; //# common read back
        task.back = 3; //# common write back

        task.third = 1; //# touched write third
        join(() -> task.third = 2); //# common write third
        join(() -> {
            int read = task.third; //# common read third
        });

        // The place is late with the first task and common with the second one only.
        for (int i = 0; i < 2; i++) {
            Task next = new Task();
            next.sometimes = 1; //# touched write sometimes
            join(next::run);
            if (i == 1) {
                int read = next.sometimes; //# common read sometimes
            }
        }
    }

    /** Threads that have ended do not come back, though their places in the runtime's tables are used again. */
    static void manyThreads() throws Exception {
        int places = 1 << 13;
        Cell[] cells = new Cell[8];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell();
        }
        for (int i = 0; i < places + cells.length; i++) {
            int n = i;
            join(() -> {
                if (n < cells.length) {
                    cells[n].v = n; //# touched write v
                } else if (n >= places) {
                    cells[n - places].v = n; //# late write v
                } else {
                    new Cell().v = n;
                }
            });
            if (i % 2000 == 0) {
                System.gc();
            }
        }
    }

    static void manySites() throws Exception {
        Wide alone = new Wide();
        for (int i = 0; i < 45; i++) {
            alone.at(i);
        }
        Wide wide = new Wide();
        for (int i = 0; i < 20; i++) {
            wide.at(i);
        }
        wide.at(35, 36, 37, 38, 39, 35);
        join(() -> wide.at(10, 30, 31, 32, 33, 34));
        wide.at(41);
        // Handed over: neither its places nor those that others have made common are.
        Wide handed = new Wide();
        handed.at(20, 42, 1);
        join(() -> handed.at(21, 43, 21, 10, 31));
    }

    public static void main(String[] args) throws Exception {
        fields();
        objects();
        statics();
        handOvers();
        manyThreads();
        manySites();
        System.out.println("done");
        if (args.length > 0) {
            // A thread that would keep the process alive.
            new Thread(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
            System.exit(3);
        }
    }
}
