package program;

interface Iface {
    default boolean iface() {
        return true;
    }

    default boolean other() {
        return iface();
    }
}
