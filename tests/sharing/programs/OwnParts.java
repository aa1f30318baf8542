import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Constructors that give `this` to parts of their own: nobody else has it yet, unless one of the parts gets out. */
public class OwnParts {
    static final List<Object> KNOWN = Collections.synchronizedList(new ArrayList<>());

    static class Part implements Cloneable {
        Object owner;

        Part(Object owner) {
            this.owner = owner;
        }

        Part copy() throws CloneNotSupportedException {
            return (Part) clone();
        }
    }

    static class Holder {
        Part held;
    }

    static final Holder SHARED = new Holder();

    /** Another thread meets what got out last. */
    static void meet(Runnable other) {
        Thread thread = new Thread(other);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object last() {
        Object last = KNOWN.get(KNOWN.size() - 1);
        return last instanceof Part part ? part.owner : last;
    }

    static void tell(Object... all) {
        KNOWN.addAll(Arrays.asList(all));
    }

    /** Its parts are its own, and so is it until its maker gives it away. */
    static class Kept {
        Part part;
        Object[] parts;
        int kept;
        int filled;
        int seen;

        Kept() {
            kept = 1;
            part = new Part(this);
            parts = new Object[] {part, this};
            fill();
            kept++;
        }

        private void fill() {
            filled = kept + 1;
            more();
        }

        private void more() {
            filled++;
        }
    }

    static class ByStatic {
        int byStatic;

        ByStatic() {
            byStatic = 1;
            Part part = new Part(this);
            KNOWN.add(part);
            meet(() -> ((ByStatic) last()).byStatic++); // shared: byStatic
            byStatic = 2; // shared: byStatic
        }
    }

    static class ByOwnField {
        Part part;
        int byOwnField;

        ByOwnField() {
            this.part = new Part(this);
            KNOWN.add(this.part);
            meet(() -> ((ByOwnField) last()).byOwnField++); // shared: byOwnField
            byOwnField = 2; // shared: byOwnField
        }
    }

    static class ByHelper {
        Part part;
        int byHelper;

        ByHelper() {
            part = new Part(this);
            help();
        }

        private void help() {
            KNOWN.add(part);
            meet(() -> ((ByHelper) last()).byHelper++); // shared: byHelper
            byHelper = 2; // shared: byHelper
        }
    }

    static class ByParameter {
        int byParameter;

        ByParameter(Holder holder) {
            holder.held = new Part(this);
            meet(() -> ((ByParameter) SHARED.held.owner).byParameter++); // shared: byParameter
            byParameter = 2; // shared: byParameter
        }
    }

    static class ByArray {
        static Object[][] all = new Object[1][];
        int byArray;

        ByArray() {
            Object[] own = {new Part(this)};
            all[0] = own;
            meet(() -> ((ByArray) ((Part) all[0][0]).owner).byArray++); // shared: byArray
            byArray = 2; // shared: byArray
        }
    }

    static class ByVarargs {
        int byVarargs;

        ByVarargs() {
            tell(1, new Part(this));
            meet(() -> ((ByVarargs) last()).byVarargs++); // shared: byVarargs
            byVarargs = 2; // shared: byVarargs
        }
    }

    static class ByClone {
        int byClone;

        ByClone() throws CloneNotSupportedException {
            Part part = new Part(this);
            KNOWN.add(part.copy());
            meet(() -> ((ByClone) last()).byClone++); // shared: byClone
            byClone = 2; // shared: byClone
        }
    }

    static class Carrier extends RuntimeException {
        final transient Object carried;

        Carrier(Object carried) {
            this.carried = carried;
        }
    }

    static class ByException {
        int byException;

        ByException() {
            try {
                fail();
            } catch (Carrier e) {
                KNOWN.add(e.carried);
            }
            meet(() -> ((ByException) last()).byException++); // shared: byException
            byException = 2; // shared: byException
        }

        private void fail() {
            throw new Carrier(new Part(this));
        }
    }

    /** Whoever asks for its hash code makes it known. */
    static class Loud extends Part {
        Loud(Object owner) {
            super(owner);
        }

        @Override
        public int hashCode() {
            KNOWN.add(this);
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    static class ByCallback {
        int byCallback;

        ByCallback() {
            Set<Part> own = new HashSet<>();
            own.add(new Loud(this));
            meet(() -> ((ByCallback) last()).byCallback++); // shared: byCallback
            byCallback = 2; // shared: byCallback
        }
    }

    static class ByHash {
        Part part;
        int byHash;

        ByHash() {
            part = new Part(this);
            Objects.hash(1, this);
            meet(() -> ((ByHash) last()).byHash++); // shared: byHash
            byHash = 2; // shared: byHash
        }

        @Override
        public int hashCode() {
            KNOWN.add(this);
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    static class Telling extends Part {
        Telling(Object owner) {
            super(owner);
        }

        @Override
        public String toString() {
            return "of " + owner;
        }
    }

    static class ByPart {
        int byPart;

        ByPart() {
            String text = new Telling(this) + "";
            meet(() -> ((ByPart) last()).byPart++); // shared: byPart
            byPart = text.length(); // shared: byPart
        }

        @Override
        public String toString() {
            KNOWN.add(this);
            return "whole";
        }
    }

    static class Base {
        Base() {
            KNOWN.add(new Part(this));
        }
    }

    static class BySuper extends Base {
        int bySuper;

        BySuper() {
            meet(() -> ((BySuper) last()).bySuper++); // shared: bySuper
            bySuper = 2; // shared: bySuper
        }
    }

    static class Template {
        int byOverride;

        Template() {
            ready();
            byOverride = 2; // shared: byOverride
        }

        void ready() {
        }
    }

    static class ByOverride extends Template {
        @Override
        void ready() {
            KNOWN.add(new Part(this));
            meet(() -> ((Template) last()).byOverride++); // shared: byOverride
        }
    }

    static class ByInner {
        int byInner;

        class Inner implements Runnable {
            @Override
            public void run() {
                byInner++; // shared: byInner
            }
        }

        ByInner() {
            Inner inner = new Inner();
            meet(inner);
            byInner = 2; // shared: byInner
        }
    }

    static class ByThreadLocal {
        static final ThreadLocal<Part> OWN = new ThreadLocal<>();
        int byThreadLocal;

        ByThreadLocal() {
            OWN.set(new Part(this));
            Part part = OWN.get();
            meet(() -> ((ByThreadLocal) part.owner).byThreadLocal++); // shared: byThreadLocal
            byThreadLocal = 2; // shared: byThreadLocal
        }
    }

    /** Its helper runs for others, too. */
    static class Again {
        int again;
        int byTask;

        Again() {
            help();
            task();
        }

        private void help() {
            again++; // shared: again
        }

        private void task() {
            byTask++; // shared: byTask
        }

        void later() {
            help();
        }

        Runnable reference() {
            return this::task;
        }
    }

    public static void main(String[] args) throws Exception {
        Kept kept = new Kept();
        meet(() -> kept.seen = kept.kept + kept.filled);
        new ByStatic();
        new ByOwnField();
        new ByHelper();
        new ByParameter(SHARED);
        new ByArray();
        new ByVarargs();
        new ByClone();
        new ByException();
        new ByCallback();
        new ByHash();
        new ByPart();
        new BySuper();
        new ByOverride();
        new ByInner();
        new ByThreadLocal();
        Again again = new Again();
        meet(again::later);
        meet(again.reference());
        System.out.println(kept.seen + again.again + again.byTask);
    }
}
