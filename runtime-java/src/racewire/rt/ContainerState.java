package racewire.rt;


/** The state of a container of the JDK, taken as one variable, which has no room for it itself. */
final class ContainerState extends IdentityRef {
    static final PartedTable<ContainerState> ALL = new PartedTable<ContainerState>() {
        @Override
        ContainerState make(Object container, int hash) {
            return new ContainerState(container, hash);
        }

        @Override
        public void gone(ContainerState ref) { }
    };

    // As woven classes have them for their fields.
    long word;
    long writes;
    long reads;
    Object readers;

    private ContainerState(Object container, int hash) {
        super(container, hash);
    }
}
