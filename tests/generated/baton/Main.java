package baton;

/** Runs one script after the other, each with a root thread of its own that no woven code started. */
public final class Main {
    public static void main(String[] scripts) throws Exception {
        for (String name : scripts) {
            Class<?> script = Class.forName("gen." + name);
            Baton baton = (Baton) script.getField("BATON").get(null);
            int steps = script.getField("STEPS").getInt(null);
            Runnable root = (Runnable) script.getConstructor(int.class).newInstance(0);
            baton.adopt(new Thread(root, name + "-t0")).start();
            baton.finish(steps);
            System.out.println(name + " done");
        }
    }
}
