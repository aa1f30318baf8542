package protectedfield.base;

/** Package-private, with public and protected members: only a subclass makes them reachable from outside. */
class Hidden {
    public int open;
    protected double half;
}
