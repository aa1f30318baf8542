package prog;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;

/** A woven class that has run, with locks on itself, can still be unloaded: the runtime keeps only text. */
public class Unloading {
    /** Loads the program's own classes anew; the runtime stays the parent's. */
    static final class Fresh extends URLClassLoader {
        Fresh(URL[] urls) {
            super(urls, Unloading.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                return name.startsWith("prog.") ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }

    public static class Use implements Runnable {
        @Override
        public void run() {
            try {
                Cell.addTotal();
                Cell cell = new Cell();
                cell.lockedAdd();
                cell.clone().add();
                LockBag.enter(Cell.class, cell::add);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    static WeakReference<ClassLoader> useOnce(URL[] urls) throws Exception {
        try (Fresh loader = new Fresh(urls)) {
            Class<?> use = Class.forName("prog.Unloading$Use", true, loader);
            Check.that(use.getClassLoader() == loader, "loaded anew");
            ((Runnable) use.getConstructor().newInstance()).run();
            return new WeakReference<>(loader);
        }
    }

    public static void main(String[] args) throws Exception {
        File classes = new File(Unloading.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        WeakReference<ClassLoader> loader = useOnce(new URL[] {classes.toURI().toURL()});
        for (int i = 0; i < 100 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        Check.that(loader.get() == null, "the loader is gone");
        System.out.println("ok");
    }
}
