/** Inner, anonymous and local classes reach the outer object through this$0 and captured variables. */
public class InnerClasses {
    int outer;
    int fromAnonymous;
    int fromLocal;
    int deep;
    int untouched;

    class Inner implements Runnable {
        int inner;

        @Override
        public void run() {
            outer++; // shared: outer
            inner++; // shared: inner
            new Innermost().touch();
        }

        class Innermost {
            void touch() {
                deep++; // shared: deep
            }
        }
    }

    Runnable anonymous() {
        return new Runnable() {
            @Override
            public void run() {
                fromAnonymous++; // shared: fromAnonymous
            }
        };
    }

    Runnable localClass(InnerClasses captured) {
        class Local implements Runnable {
            @Override
            public void run() {
                captured.fromLocal++; // shared: fromLocal
            }
        }
        return new Local();
    }

    Runnable notStarted() {
        return new Runnable() {
            @Override
            public void run() {
                untouched++; // local: untouched
            }
        };
    }

    public static void main(String[] args) throws Exception {
        InnerClasses object = new InnerClasses();
        InnerClasses other = new InnerClasses();
        Inner inner = object.new Inner();
        Runnable[] tasks = {inner, object.anonymous(), other.localClass(object)};
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            thread.join();
        }
        InnerClasses local = new InnerClasses();
        local.notStarted().run();
        System.out.println(object.outer + object.deep + inner.inner); // shared: outer, deep, inner
        System.out.println(object.fromAnonymous + object.fromLocal); // shared: fromAnonymous, fromLocal
        System.out.println(local.untouched); // local: untouched
    }
}
