package racewire.rt;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the program was woven for: the detectors of a run that names none, and the newest JDK. */
final class WovenFor {
    /** In the weaver's manifest, where the runtime is in the woven archive; null if that is not to be seen from here. */
    static final String DETECTORS = read();

    private static final String MANIFEST = "/META-INF/racewire/manifest.json";

    private WovenFor() { }

    /** Says so if one of these manifests is of a jar with classes for this JDK that nobody has looked at. */
    static void checkJdk(String manifests) {
        Matcher newest = Pattern.compile("\"newest_jdk\"\\s*:\\s*([0-9]{1,5})").matcher(manifests);
        // "1.8" before 9, and then "9".
        String version = System.getProperty("java.specification.version", "").replaceFirst("^1\\.", "");
        while (newest.find()) {
            if (version.matches("[0-9]{1,5}") && Integer.parseInt(version) > Integer.parseInt(newest.group(1))) {
                Stderr.line("woven for JDK " + newest.group(1) + ": what the program has for newer ones was not looked at, and"
                        + " races may be missed; weave it with --jdk of this one");
                return;
            }
        }
    }

    private static String read() {
        Pattern runBy = Pattern.compile("\"run_by\"\\s*:\\s*\"([a-z_,]+)\"");
        try (InputStream in = WovenFor.class.getResourceAsStream(MANIFEST)) {
            if (in == null) {
                return null;
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, "UTF-8"));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher found = runBy.matcher(line);
                if (found.find()) {
                    return found.group(1);
                }
            }
        } catch (Exception keptQuiet) {
            // As if there were none.
        }
        return null;
    }
}
