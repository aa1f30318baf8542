package racewire.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** The configuration of a Surefire or Failsafe goal, as Maven will read it. What the user has set there wins. */
final class TestConfiguration {
    private static final String LISTENER = "racewire.junit.JUnit4Listener";
    private static final String ENVIRONMENT = "RACEWIRE_OPTIONS";

    private final Xpp3Dom configuration;
    private final MavenSession session;
    private final MavenProject project;

    TestConfiguration(MojoExecution mojo, MavenSession session, MavenProject project) {
        this.configuration = mojo.getConfiguration();
        this.session = session;
        this.project = project;
    }

    void use(TestRun run) {
        if (run.classes != null) {
            child("classesDirectory").setValue(run.classes.getPath());
        }
        if (run.testClasses != null) {
            child("testClassesDirectory").setValue(run.testClasses.getPath());
        }
        addToClassPath(run.classPath);
        Xpp3Dom properties = child("systemPropertyVariables");
        run.systemProperties.forEach((name, value) -> addIfMissing(properties, name, value));
        addForChildren(run);
        if (run.junit4Listener) {
            addListener();
        }
    }

    private Xpp3Dom child(String name) {
        Xpp3Dom child = configuration.getChild(name);
        if (child == null) {
            child = new Xpp3Dom(name);
            configuration.addChild(child);
        }
        return child;
    }

    private void addToClassPath(List<File> elements) {
        Xpp3Dom list = child("additionalClasspathElements");
        List<String> all = new ArrayList<>();
        // Without children it is only the expression of the property that fills it.
        String given = list.getChildCount() == 0 ? property("maven.test.additionalClasspath") : null;
        for (String element : given == null ? new String[0] : given.split(",")) {
            all.add(element.trim());
        }
        elements.forEach(element -> all.add(element.getPath()));
        list.setValue(null);
        for (String path : all) {
            add(list, "additionalClasspathElement", path);
        }
    }

    private String property(String name) {
        String value = session.getUserProperties().getProperty(name);
        return value != null ? value : project.getProperties().getProperty(name);
    }

    /** JVMs that a test starts know the environment, but no properties. A blank or comma would end the value there. */
    private void addForChildren(TestRun run) {
        String findings = run.systemProperties.get("racewire.findings");
        if (!findings.matches(".*[,\\s].*")) {
            addIfMissing(child("environmentVariables"), ENVIRONMENT, "findings=" + findings);
        }
    }

    /** Surefire joins several listeners by commas. */
    private void addListener() {
        Xpp3Dom properties = child("properties");
        for (Xpp3Dom property : properties.getChildren("property")) {
            Xpp3Dom name = property.getChild("name");
            Xpp3Dom value = property.getChild("value");
            if (name != null && value != null && "listener".equals(name.getValue())) {
                value.setValue(value.getValue() + "," + LISTENER);
                return;
            }
        }
        Xpp3Dom property = new Xpp3Dom("property");
        add(property, "name", "listener");
        add(property, "value", LISTENER);
        properties.addChild(property);
    }

    private static void addIfMissing(Xpp3Dom parent, String name, String value) {
        if (parent.getChild(name) == null) {
            add(parent, name, value);
        }
    }

    private static void add(Xpp3Dom parent, String name, String value) {
        Xpp3Dom child = new Xpp3Dom(name);
        child.setValue(value);
        parent.addChild(child);
    }
}
