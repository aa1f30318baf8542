package racewire.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.maven.artifact.Artifact;

/** What the tests of one module are to run with. */
final class TestRun {
    /** The woven classes, null for as they are. */
    File classes;
    File testClasses;

    final Map<Artifact, File> dependencies = new LinkedHashMap<>();

    /** What the tests need besides. */
    final List<File> classPath = new ArrayList<>();

    final Map<String, String> systemProperties = new LinkedHashMap<>();

    boolean junit4Listener;
}
