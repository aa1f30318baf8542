/** What a woven modular program requires: the hooks its classes call; and what test frameworks ask. */
module racewire.runtime {
    exports racewire.api;
    exports racewire.rt;
}
