import java.io.PrintStream;

/**
 * Prints the source of a program with a very big method: {@code java BigMethod.java BigMethodRaces [statements]}.
 *
 * <ul>
 * <li>{@code BigMethodRaces}, {@code BigMethodSafe}: about 23 KB of code with branches, a loop, switches and handlers
 *     across it that fit 16 bits before the hooks are woven in and do not afterwards.
 * <li>{@code HugeMethodRaces}: so near to 65,535 bytes (JVMS 4.7.3) that no hook fits: the method must be left as it is,
 *     and the rest of the class be woven.
 * </ul>
 */
public class BigMethod {
    /** A statement is about 13 bytes; its two accesses get about as much again from the weaver. */
    private static final int BIG = 1_700;
    /** 12 bytes each, and what surrounds them: about 64,900 bytes. */
    private static final int HUGE = 5_400;
    private static final int FIELDS = 64;
    private static final String USAGE = "usage: BigMethod BigMethodRaces|BigMethodSafe|HugeMethodRaces [statements]";

    /** In two pieces: the harness that reads expectations must not take this file for a marked one. */
    private static final String EXPECT = "/" + "/ expect ";

    private static final PrintStream out = System.out;

    public static void main(String[] args) {
        String name = args.length > 0 ? args[0] : "";
        switch (name) {
            case "BigMethodRaces" -> big(name, false, args.length > 1 ? Integer.parseInt(args[1]) : BIG);
            case "BigMethodSafe" -> big(name, true, args.length > 1 ? Integer.parseInt(args[1]) : BIG);
            case "HugeMethodRaces" -> huge(name, args.length > 1 ? Integer.parseInt(args[1]) : HUGE);
            case "" -> out.println(USAGE);
            default -> {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
    }

    /** Two threads run the method, each on an object of its own (racing on a static in three places) or on one under its lock. */
    private static void big(String name, boolean safe, int statements) {
        begin(name, safe);
        String mark = safe ? "" : " " + EXPECT + "race: shared";
        out.println("    long big(int rounds) {");
        out.println("        long result = 0;");
        if (safe) {
            out.println("        synchronized (" + name + ".class) {");
        }
        out.println("        for (int round = 0; round < rounds; round++) {");
        out.println("            if (rounds > 0 || round < 0) {");
        out.println("                try {");
        out.println("                    shared++;" + mark);
        for (int i = 0; i < statements; i++) {
            out.println("                    " + statement(i));
            if (i % 100 == 50) {
                branches(i);
            }
            if (i == statements / 2) {
                out.println("                    shared += 2;" + mark);
            }
        }
        out.println("                    result += f0 / (rounds - 2);");
        out.println("                } catch (ArithmeticException e) {");
        out.println("                    result += f1;");
        out.println("                    continue;");
        out.println("                } finally {");
        out.println("                    result += f2;");
        out.println("                }");
        out.println("            }");
        out.println("            shared += 4;" + mark);
        out.println("        }");
        if (safe) {
            out.println("        }");
        }
        out.println("        return result;");
        out.println("    }");
        out.println();
        out.println("    public static void main(String[] args) {");
        out.println("        " + name + " one = new " + name + "();");
        String other = safe ? "one" : "new " + name + "()";
        out.println("        inTurn(() -> System.out.println(one.big(3)), () -> System.out.println(" + other + ".big(2)),");
        out.println("            () -> System.out.println(" + other + ".big(3)));");
        out.println("    }");
        end();
    }

    private static void huge(String name, int statements) {
        begin(name, false);
        out.println("    /** Too big for hooks: its accesses are not seen. */");
        out.println("    void huge() {");
        for (int i = 0; i < statements; i++) {
            out.println("        f" + i % FIELDS + " += " + (1_000 + i) + ";");
        }
        out.println("    }");
        out.println();
        out.println("    void small() {");
        out.println("        shared++; " + EXPECT + "race: shared");
        out.println("        f0++; " + EXPECT + "race: f0");
        out.println("    }");
        out.println();
        out.println("    public static void main(String[] args) {");
        out.println("        " + name + " o = new " + name + "();");
        out.println("        inTurn(o::huge, o::small, o::small, o::huge);");
        out.println("        System.out.println(\"done\");");
        out.println("    }");
        end();
    }

    private static String statement(int i) {
        String field = "f" + i % FIELDS;
        return switch (i % 7) {
            case 0 -> "result += " + field + "++;";
            case 1 -> field + " ^= " + (2_000 + i) + ";";
            default -> field + " += " + (1_000 + i) + ";";
        };
    }

    /** A dense and a sparse switch (padded to 4 bytes: JVMS 6.5) and a conditional at ever other offsets. */
    private static void branches(int i) {
        out.println("                    switch (round) {");
        out.println("                        case 0 -> f3++;");
        out.println("                        case 1 -> f4++;");
        out.println("                        case " + (i % 200 == 50 ? 2 : 70_000) + " -> f5++;");
        out.println("                        default -> f6++;");
        out.println("                    }");
        out.println("                    result += f3 > f4 ? f5 : " + i + "L;");
    }

    private static void begin(String name, boolean safe) {
        if (safe) {
            out.println(EXPECT + "none");
        }
        out.println("/** Printed by BigMethod. */");
        out.println("public class " + name + " {");
        for (int f = 0; f < FIELDS; f++) {
            out.println("    int f" + f + ";");
        }
        out.println("    static int shared;");
        out.println();
    }

    private static void end() {
        out.println();
        out.println("    static void inTurn(Runnable... tasks) {");
        out.println("        for (Runnable task : tasks) {");
        out.println("            Thread thread = new Thread(task);");
        out.println("            thread.start();");
        out.println("            while (thread.getState() != Thread.State.TERMINATED) {");
        out.println("                Thread.yield();");
        out.println("            }");
        out.println("        }");
        out.println("    }");
        out.println("}");
    }
}
