package racewire.rt;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The run-time options, one table with default and help text. Each is {@code -Dracewire.<name>=<value>} or part
 * of the environment variable {@code RACEWIRE_OPTIONS} ({@code name=value}, separated by colons, commas or spaces);
 * the property wins. A mistake costs one line on stderr, never the run: the default then holds.
 */
enum Options {
    FINDINGS("findings", "racewire-findings", "folder of the findings files, one per process"),
    DETECTOR("detector", "hybrid", "hybrid, happens_before, racer or eraser; lock_order, views and stale, alone or after one of them"),
    EXITCODE("exitcode", "66", "exit code of a program with findings; 0 leaves the program's own"),
    HALT("halt", "off", "on: halt the JVM with the exit code as soon as a finding is written"),
    MAX_FINDINGS("max_findings", "1000", "so many findings are written, further ones only counted"),
    REQUIRED("required", "false", "true: exit with code 2 if monitoring is impossible"),
    TMPDIR("tmpdir", "", "folder for the unpacked native library, if java.io.tmpdir forbids execution"),
    COUNTS("counts", "", "file for the numbers of events at the end of the run, which is much slower then"),
    SHARING("sharing", "",
            "file for the places that touch variables of more than one thread; races are not looked for then"),
    TRACE("trace", "", "file for the events of the run, for racewire analyze; %p in its name is the process id"),
    PLUGIN("plugin", "", "detectors of one's own: libraries that are given the events of the run; a comma separates them"),
    NATIVE("native", "", "path of a native library to load instead of the packaged one");

    static final String PROPERTY_PREFIX = "racewire.";
    static final String ENVIRONMENT = "RACEWIRE_OPTIONS";

    final String key;
    final String fallback;
    final String help;

    Options(String key, String fallback, String help) {
        this.key = key;
        this.fallback = fallback;
        this.help = help;
    }

    private static final Map<String, String> GIVEN = new TreeMap<>();

    static {
        readEnvironment(System.getenv(ENVIRONMENT));
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(PROPERTY_PREFIX)) {
                String key = name.substring(PROPERTY_PREFIX.length());
                if (!BuildOptions.has(key)) {
                    give(key, System.getProperty(name));
                }
            }
        }
    }

    String value() {
        String given = GIVEN.get(key);
        return given == null ? unlessGiven() : given;
    }

    private String unlessGiven() {
        String woven = this == DETECTOR ? WovenFor.DETECTORS : null;
        return woven == null || wrongDetectors(woven) != null ? fallback : woven;
    }

    /** Whether {@code detector} is among those that are asked for. */
    static boolean detects(String detector) {
        return Arrays.asList(DETECTOR.value().split(",")).contains(detector);
    }

    /** The one that looks at each access; {@code views}, {@code lock_order}, or else {@code stale}, if none does. */
    static String accessDetector() {
        for (String detector : DETECTOR.value().split(",")) {
            if (!goesWithAny(detector)) {
                return detector;
            }
        }
        return detects("views") ? "views" : detects("lock_order") ? "lock_order" : "stale";
    }

    private static boolean goesWithAny(String detector) {
        return detector.equals("lock_order") || detector.equals("views") || detector.equals("stale");
    }

    boolean on() {
        return value().equals("on") || value().equals("true");
    }

    int number() {
        return Integer.parseInt(value());
    }

    /** Colons also stand in paths, commas in lists: they separate only where another option follows. */
    private static void readEnvironment(String text) {
        if (text == null) {
            return;
        }
        for (String part : text.trim().split("[,:]?\\s+|[,:](?=[a-z_]+=)")) {
            if (part.isEmpty()) {
                continue;
            }
            int equals = part.indexOf('=');
            if (equals < 0) {
                Stderr.line("option " + part + " in " + ENVIRONMENT + " has no value; ignored");
            } else {
                give(part.substring(0, equals), part.substring(equals + 1));
            }
        }
    }

    private static void give(String key, String value) {
        for (Options option : values()) {
            if (option.key.equals(key)) {
                String wrong = option.wrong(value);
                if (wrong == null) {
                    GIVEN.put(key, value);
                } else {
                    Stderr.line("option " + key + "=" + value + " " + wrong + "; using " + option.value());
                }
                return;
            }
        }
        Stderr.line("unknown option " + key + "; there are: " + names());
    }

    /** One that looks at each access, and those that go with any. */
    private String wrongDetectors(String value) {
        int accesses = 0;
        for (String detector : value.split(",", -1)) {
            String wrong = oneOf(detector, "hybrid", "happens_before", "racer", "eraser", "lock_order", "views",
                    "stale");
            if (wrong != null) {
                return wrong;
            }
            accesses += goesWithAny(detector) ? 0 : 1;
        }
        return accesses > 1 ? "names more than one detector that looks at accesses" : null;
    }

    private String wrong(String value) {
        switch (this) {
            case DETECTOR:
                return wrongDetectors(value);
            case HALT:
            case REQUIRED:
                return oneOf(value, "on", "off", "true", "false");
            case EXITCODE:
                return isNumber(value, 3) && Integer.parseInt(value) < 256
                        ? null : "is not a number from 0 to 255";
            case MAX_FINDINGS:
                return isNumber(value, 9) && value.charAt(0) != '0' ? null : "is not a number from 1 to 999999999";
            default:
                return null;
        }
    }

    // No pattern: see WovenFor.
    private static boolean isNumber(String value, int mostDigits) {
        boolean is = !value.isEmpty() && value.length() <= mostDigits;
        for (int i = 0; is && i < value.length(); i++) {
            is = value.charAt(i) >= '0' && value.charAt(i) <= '9';
        }
        return is;
    }

    private static String oneOf(String value, String... allowed) {
        for (String a : allowed) {
            if (a.equals(value)) {
                return null;
            }
        }
        return "is none of " + String.join(", ", allowed);
    }

    private static String names() {
        StringBuilder all = new StringBuilder();
        for (Options option : values()) {
            all.append(all.length() == 0 ? "" : ", ").append(option.key);
        }
        return all.toString();
    }
}
