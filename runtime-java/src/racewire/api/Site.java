package racewire.api;

/** A place in the code where something happens: one object for each, known before the program runs. */
public final class Site {
    private final Class<?> codeClass;
    private final String[] parts;
    private volatile Class<?> ownerClass;

    /** For the runtime: the class that the code stands in, and the parts that the weaver wrote. */
    public Site(Class<?> codeClass, String text) {
        this.codeClass = codeClass;
        this.parts = text.split("\t", -1);
    }

    private String part(int index) {
        return index < parts.length ? parts[index] : "";
    }

    /** field-get, field-set, method-call, constructor-call, method-execution, constructor-execution, lock, unlock */
    public String kind() {
        return part(0);
    }

    /** The source file, as the class file names it; empty if it does not. */
    public String file() {
        return part(1);
    }

    /** The line, or 0. */
    public int line() {
        return Integer.parseInt(part(2));
    }

    /** The class that the code stands in. */
    public Class<?> within() {
        return codeClass;
    }

    /** The method that the code stands in. */
    public String method() {
        return part(3);
    }

    /** Name of the class that declares the field or the method; empty for locks. */
    public String owner() {
        return part(4);
    }

    /** Name of the field or method; {@code <init>} for constructors; empty for locks. */
    public String name() {
        return part(5);
    }

    /** Its type as class files write it: {@code I}, {@code (Ljava/lang/String;)V}. */
    public String descriptor() {
        return part(6);
    }

    /** The class that declares the field or the method, without running its initialiser; null for locks. */
    public Class<?> ownerClass() {
        if (ownerClass == null && !owner().isEmpty()) {
            try {
                ownerClass = Class.forName(owner(), false, codeClass.getClassLoader());
            } catch (ClassNotFoundException missing) {
                throw new NoClassDefFoundError(owner());
            }
        }
        return ownerClass;
    }

    /** {@code Bank.java:42} */
    public String location() {
        return (file().isEmpty() ? codeClass.getName() : file()) + ":" + line();
    }

    @Override
    public String toString() {
        String member = owner().isEmpty() ? "" : "(" + owner() + "." + name() + ")";
        return kind() + member + " at " + location();
    }
}
