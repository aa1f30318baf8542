/** An object in a field of an object that escapes later; objects used locally first, and written after they escaped. */
public class EscapesLater {
    static class Part {
        int part;
        int dropped;
    }

    static class Whole {
        Part content;
        int before;
        int after;
    }

    static Whole published;

    public static void main(String[] args) throws Exception {
        Part part = new Part();
        Whole whole = new Whole();
        part.part = 1; // shared: part
        whole.content = part; // shared: content
        whole.before = 1; // shared: before
        whole.before += 2; // shared: before
        published = whole; // shared: published
        whole.after = 5; // shared: after
        Part late = new Part();
        Thread thread = new Thread(() -> {
            published.content.part++; // shared: published, content, part
            published.before++; // shared: published, before
            published.after++; // shared: published, after
        });
        thread.start();
        thread.join();
        whole.content = late; // shared: content
        Thread second = new Thread(() -> published.content.part++); // shared: published, content, part
        second.start();
        second.join();
        System.out.println(part.part + late.part); // shared: part
        System.out.println(whole.before + whole.after); // shared: before, after
        Whole unpublished = new Whole();
        unpublished.content = new Part(); // local: content
        unpublished.content.dropped = 7; // local: content, dropped
        System.out.println(unpublished.content.dropped); // local: content, dropped
    }
}
