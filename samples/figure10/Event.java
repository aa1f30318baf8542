record Event(String text) {
    static final Event LAST = new Event("last");
}
