package protectedfield.base;

/** Holds what the programs of the package above inherit; no code of its own, and not accessible there as a type's package. */
public class Base extends Hidden {
    protected int count;
    protected static long total;
    protected String text;
}
