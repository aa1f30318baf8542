package nasa;

/**
 * 002's "NASA" (Artho, Havelund and Biere): the spacecraft controller. A task achieves a value of the system's state and
 * then says so, in two steps; the daemon that watches over the state reads both at once and may see one of them.
 */
public final class Nasa {
    static final class Cell {
        int value;
        boolean achieved;
    }

    static final class Craft {
        private final Cell cell = new Cell();

        synchronized void setValue(int value) {
            cell.value = value; // run views
        }

        synchronized void setAchieved() {
            cell.achieved = true; // run views
        }

        synchronized boolean broken(int wanted) {
            return cell.achieved && cell.value != wanted;
        }
    }

    static final class Task extends Thread {
        private final Craft craft;

        Task(Craft craft) {
            this.craft = craft;
        }

        @Override
        public void run() {
            craft.setValue(7);
            craft.setAchieved(); // violation; expect causal method-consistency
        }
    }

    static final class Daemon extends Thread {
        private final Craft craft;
        private boolean alarm;

        Daemon(Craft craft) {
            this.craft = craft;
        }

        @Override
        public void run() {
            for (int i = 0; i < 100; i++) {
                if (craft.broken(7)) {
                    alarm = true;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Craft craft = new Craft();
        Task task = new Task(craft);
        Daemon daemon = new Daemon(craft);
        task.start();
        daemon.start();
        task.join();
        daemon.join();
    }
}
