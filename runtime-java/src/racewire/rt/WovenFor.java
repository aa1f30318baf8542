package racewire.rt;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The detectors that the program was woven for: those of a run that names none. */
final class WovenFor {
    /** In the weaver's manifest, where the runtime is in the woven archive; null if that is not to be seen from here. */
    static final String DETECTORS = read();

    private static final String MANIFEST = "/META-INF/racewire/manifest.json";

    private WovenFor() { }

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
