package my;

import racer.Racer;
import racewire.api.Pointcut;

/** What a user of RACER writes: where to look. */
public class MyRacer extends Racer {
    @Pointcut("!within(java..*)")
    protected void scope() { }
}
