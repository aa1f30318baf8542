package figures;

import app.TaskQueue;
import racewire.api.After;
import racewire.api.Before;

/** Figure 5: advice on locks of one type. */
public class Figure5 {
    @Before("lock() && args(l)")
    static void before(TaskQueue l) {
        Out.print("figure 5: about to lock " + Out.name(l) + " " + Thread.holdsLock(l));
    }

    @After("lock() && args(l)")
    static void after(TaskQueue l) {
        Out.print("figure 5: locked " + Out.name(l) + " " + Thread.holdsLock(l));
    }
}
