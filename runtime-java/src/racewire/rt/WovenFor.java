package racewire.rt;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;

/** What the program was woven for: the detectors of a run that names none, and the newest JDK. */
final class WovenFor {
    /** In the weaver's manifest, where the runtime is in the woven archive; null if that is not to be seen from here. */
    static final String DETECTORS = read();

    private static final String MANIFEST = "/META-INF/racewire/manifest.json";

    private WovenFor() { }

    /** Says so if one of these manifests is of a jar with classes for this JDK that nobody has looked at. */
    static void checkJdk(String manifests) {
        // "1.8" before 9, and then "9".
        String version = System.getProperty("java.specification.version", "");
        int jdk = number(version.startsWith("1.") ? version.substring(2) : version);
        for (int at = after(manifests, "newest_jdk", 0); at >= 0; at = after(manifests, "newest_jdk", at)) {
            int newest = number(manifests.substring(at, end(manifests, at, "0123456789")));
            if (newest >= 0 && jdk > newest) {
                Stderr.line("woven for JDK " + newest + ": what the program has for newer ones was not looked at, and"
                        + " races may be missed; weave it with --jdk of this one");
                return;
            }
        }
    }

    private static String read() {
        try (InputStream in = WovenFor.class.getResourceAsStream(MANIFEST)) {
            if (in == null) {
                return null;
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, "UTF-8"));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int at = after(line, "run_by", 0);
                if (at >= 0 && line.startsWith("\"", at)) {
                    int end = end(line, at + 1, "abcdefghijklmnopqrstuvwxyz_,");
                    if (end > at + 1 && line.startsWith("\"", end)) {
                        return line.substring(at + 1, end);
                    }
                }
            }
        } catch (Exception keptQuiet) {
            // As if there were none.
        }
        return null;
    }

    private static final String SPACE = " \t\r\n";

    // No regular expressions: this is part of every start of a JVM, and they are dear there.

    /** Where the value of the next member of this name begins; -1 if there is none. */
    private static int after(String json, String name, int from) {
        String member = "\"" + name + "\"";
        for (int at = json.indexOf(member, from); at >= 0; at = json.indexOf(member, at + 1)) {
            int colon = end(json, at + member.length(), SPACE);
            if (json.startsWith(":", colon)) {
                return end(json, colon + 1, SPACE);
            }
        }
        return -1;
    }

    /** Where the first character stands that is none of these. */
    private static int end(String json, int from, String ofThese) {
        int at = from;
        while (at < json.length() && ofThese.indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** -1 if it is none, or no version of a JDK. */
    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            return number > 0 ? number : -1;
        } catch (NumberFormatException notOne) {
            return -1;
        }
    }
}
