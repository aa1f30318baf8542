package app;

public class TaskQueue {
    int size;

    synchronized int push() {
        return ++size;
    }
}
