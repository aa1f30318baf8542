/** What a woven modular program requires: the hooks its classes call. */
module racewire.runtime {
    exports racewire.rt;
}
