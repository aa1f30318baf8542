/** Fields of type long, double, reference and array, static and not, written with compound operators. */
public class LongAndDouble {
    static long sharedLong;
    static double ownDouble;
    double sharedDouble;
    long ownLong;
    int[] numbers;
    String name;

    void work() {
        sharedLong += 2; // shared: sharedLong
        sharedDouble *= 1.5; // shared: sharedDouble
        numbers = new int[] {1, 2}; // shared: numbers
        numbers[0]++; // shared: numbers
        name += "!"; // shared: name
    }

    public static void main(String[] args) throws Exception {
        LongAndDouble object = new LongAndDouble();
        sharedLong = 1L << 40; // shared: sharedLong
        object.sharedDouble = 2; // shared: sharedDouble
        object.name = "name"; // shared: name
        Thread thread = new Thread(object::work);
        thread.start();
        thread.join();
        System.out.println(sharedLong + object.sharedDouble); // shared: sharedLong, sharedDouble
        System.out.println(object.name + object.numbers.length); // shared: name, numbers
        LongAndDouble local = new LongAndDouble();
        local.ownLong = 5; // local: ownLong
        local.ownLong--; // local: ownLong
        ownDouble = local.ownLong; // local: ownDouble, ownLong
        ownDouble /= 2; // local: ownDouble
        System.out.println(ownDouble); // local: ownDouble
    }
}
