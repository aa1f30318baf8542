package order;

/** A variable to race for. */
final class Cell {
    int v;
}
