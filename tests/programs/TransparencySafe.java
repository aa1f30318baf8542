import java.lang.reflect.Modifier;
import java.util.Arrays;

// expect none
/** What a program may ask about itself stays as it was: stack depth, members that are not synthetic, evaluation order. */
public class TransparencySafe {
    int value;
    static int order;

    static TransparencySafe at(TransparencySafe o, int expected) {
        System.out.println(order == expected);
        order++;
        return o;
    }

    synchronized int frames() {
        return new Throwable().getStackTrace().length;
    }

    public static void main(String[] args) throws Exception {
        TransparencySafe o = new TransparencySafe();
        at(o, 0).value = at(o, 1).value + at(o, 2).value++;
        at(o, 3).value += order;
        System.out.println(o.value + " " + o.frames());
        long fields = Arrays.stream(TransparencySafe.class.getDeclaredFields()).filter(f -> !f.isSynthetic()).count();
        long methods = Arrays.stream(TransparencySafe.class.getDeclaredMethods()).filter(m -> !m.isSynthetic()).count();
        System.out.println(fields + " " + methods);
        System.out.println(Modifier.toString(TransparencySafe.class.getDeclaredField("value").getModifiers()));
    }
}
