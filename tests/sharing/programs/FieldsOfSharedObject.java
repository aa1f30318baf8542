/** An object that two threads have: some of its fields are used by both, some by main or by the one worker only. */
public class FieldsOfSharedObject {
    int common;
    int mainsOwn;
    int workersOwn;

    void work() {
        common++; // shared: common
        workersOwn++; // local: workersOwn
        workersOwn += 2; // local: workersOwn
    }

    public static void main(String[] args) throws Exception {
        FieldsOfSharedObject object = new FieldsOfSharedObject();
        object.common = 1; // shared: common
        object.mainsOwn = 1; // local: mainsOwn
        Thread thread = new Thread(object::work);
        thread.start();
        object.mainsOwn++; // local: mainsOwn
        thread.join();
        System.out.println(object.common); // shared: common
        System.out.println(object.mainsOwn); // local: mainsOwn
    }
}
