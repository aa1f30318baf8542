package racewire.gradle;

import java.io.File;
import java.util.List;
import java.util.regex.Pattern;
import org.gradle.api.specs.Spec;

/** Files whose names fit one of the patterns: {@code guava-*.jar}. */
final class NamedAs implements Spec<File> {
    private final List<String> patterns;

    NamedAs(List<String> patterns) {
        this.patterns = patterns;
    }

    @Override
    public boolean isSatisfiedBy(File file) {
        return patterns.stream().anyMatch(pattern -> fits(pattern, file.getName()));
    }

    private static boolean fits(String pattern, String name) {
        StringBuilder regex = new StringBuilder();
        for (String part : pattern.split("(?<=\\*)|(?=\\*)")) {
            regex.append(part.equals("*") ? ".*" : Pattern.quote(part));
        }
        return name.matches(regex.toString());
    }
}
