// expect race prog.Cell.value
package prog;

import racewire.rt.Hooks;
import racewire.rt.Sites;

/** Code in an interface, which has sites like any other. */
public class Interfaces {
    interface Setter {
        Cell cell();

        default void setTo(int v) {
            Cell o = cell();
            if (Hooks.changed(o.$racewire$value, 4, o)) {
                Hooks.access(Sites.register(Setter.class, TABLE), o, 4);
            }
            o.value = v;
        }
    }

    static final String TABLE = new Table("prog/Interfaces$Setter", "Interfaces.java")
            .field("prog/Cell", "value", "I", false).method("setTo", "(I)V").site(0, 17, 0, 'w', 4).toString();

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Setter setter = () -> cell;
        Check.that(Sites.register(Setter.class, TABLE) == Sites.of(Setter.class), "registered once");
        Check.inTurn(() -> setter.setTo(1), () -> setter.setTo(2));
        System.out.println("ok");
    }
}
