// Method.invoke may call any method, since the name does not stand there: the thread that nobody sees could be the
// second one.
public class ByName {
    static int count;

    public static void hidden() {
        count++;
    }

    public static void main(String[] args) throws Exception {
        count++;
        ByName.class.getMethod(System.getProperty("method", "hidden")).invoke(null);
    }
}
