package figures;

import java.util.concurrent.locks.ReentrantLock;
import racewire.api.After;
import racewire.api.Before;
import racewire.api.Pointcut;

/** Figure 4: calls of ReentrantLock, which binds its receiver. */
public class Figure4 {
    @Pointcut("call(* java.util.concurrent.locks.ReentrantLock.lock()) && target(l)")
    static void lock(ReentrantLock l) { }

    @Pointcut("call(* java.util.concurrent.locks.ReentrantLock.unlock()) && target(l)")
    static void unlock(ReentrantLock l) { }

    @Before("lock(l)")
    static void locking(ReentrantLock l) {
        Out.print("figure 4: lock, held " + l.getHoldCount());
    }

    @After("unlock(l)")
    static void unlocked(ReentrantLock l) {
        Out.print("figure 4: unlocked, held " + l.getHoldCount());
    }
}
