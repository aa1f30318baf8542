// No race. ERASER knows no hand-over: the marked lines are its false alarms.
/** Hand-over through generations, also past one that does not touch the object, and from grandparent to grandchild. */
public class HandOverSafe {
    int value;

    void pass(int generations) {
        if (generations % 2 == 0) {
            value++; // expect race[eraser]: value
        }
        if (generations == 0) {
            System.out.println(value); // expect race[eraser]: value
            return;
        }
        Thread next = new Thread(() -> pass(generations - 1));
        next.start();
        finish(next);
    }

    public static void main(String[] args) {
        new HandOverSafe().pass(6);
        HandOverSafe[] many = new HandOverSafe[50];
        for (int i = 0; i < many.length; i++) {
            many[i] = new HandOverSafe();
            many[i].value = i; // expect race[eraser]: value
        }
        Thread thread = new Thread(() -> {
            int sum = 0;
            for (HandOverSafe one : many) {
                sum += one.value++; // expect race[eraser]: value
            }
            System.out.println(sum);
        });
        thread.start();
        finish(thread);
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
