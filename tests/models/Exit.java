package models;

/** Who calls exit starts the hooks: they know what it did, and not what others did. */
final class Exit {
    static int mine;
    static int others;

    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            mine++;
            others++;
        }));
        Thread other = new Thread(() -> others++);
        other.start();
        while (other.getState() != Thread.State.TERMINATED) {
            Thread.sleep(1);
        }
        new Thread(() -> {
            mine++;
            System.exit(0);
        }).start();
    }
}
