package racewire.rt;

/** The state of a container of the JDK, taken as one variable. Most have no room for it: then it is in a table. */
final class ContainerState extends IdentityRef {
    static final PartedTable<ContainerState> ALL = new PartedTable<ContainerState>() {
        @Override
        ContainerState make(Object container, int hash) {
            return new ContainerState(container, null, hash);
        }

        @Override
        void gone(ContainerState ref) { }
    };

    /** The container if it has this itself; such a state is a reference to nothing. */
    final Object container;

    // As woven classes have them for their fields.
    long word;
    long writes;
    long reads;
    Object readers;

    private ContainerState(Object container, Object keeper, int hash) {
        super(container, hash, null);
        this.container = keeper;
    }

    /** Of a container that has it itself. */
    ContainerState(Object keeper, int hash) {
        this(null, keeper, hash);
    }
}
