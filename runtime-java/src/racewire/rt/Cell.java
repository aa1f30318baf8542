package racewire.rt;

/** The state of a variable that has no room for it in its owner: a container of the JDK, taken as one variable. */
final class Cell {
    long word;
    long writes;
    long reads;
    Object readers;
}
