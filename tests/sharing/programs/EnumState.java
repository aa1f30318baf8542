/** Enum constants are global objects: state in them, and in the bodies of constants with methods of their own. */
public class EnumState {
    enum Level {
        LOW, HIGH;

        int uses;
    }

    enum Operation {
        ADD {
            @Override
            int apply(int a) {
                applied++; // shared: applied
                return a + added++; // shared: added
            }

            int added;
        },
        NEGATE {
            @Override
            int apply(int a) {
                return -a;
            }
        };

        int applied;

        abstract int apply(int a);
    }

    /** A class that looks like an enum, with an instance per call. */
    static class Choice {
        int scratch;

        static Choice of(Level level) {
            Choice choice = new Choice();
            choice.scratch = level.ordinal(); // local: scratch
            return choice;
        }
    }

    static void use() {
        Level.valueOf("HIGH").uses++; // shared: uses
        Level.values()[0].uses++; // shared: uses
        Operation.ADD.apply(1);
        Operation.NEGATE.apply(1);
        Choice.of(Level.HIGH).scratch++; // local: scratch
    }

    public static void main(String[] args) throws Exception {
        use();
        Thread thread = new Thread(EnumState::use);
        thread.start();
        thread.join();
        System.out.println(Level.LOW.uses + Operation.ADD.applied); // shared: uses, applied
    }
}
