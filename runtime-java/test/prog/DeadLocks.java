package prog;

import racewire.rt.Hooks;

/** Lock objects that come and go by the thousand, with one that stays: the one that stays protects. */
public class DeadLocks {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Object stays = new Object();
        Check.Body work = () -> {
            for (int i = 0; i < 5000; i++) {
                Object goes = new Object();
                LockBag.enter(stays, () -> LockBag.enter(goes, cell::add));
                if (i % 1000 == 0) {
                    System.gc();
                }
            }
        };
        Check.inTurn(work, work);
        Check.equal(10000, cell.value);
        Check.locks();
        System.out.println("ok");
    }
}
