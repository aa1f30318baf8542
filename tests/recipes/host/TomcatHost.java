package host;

import java.io.File;
import java.nio.file.Files;
import org.apache.catalina.startup.Tomcat;

/** Deploys a war in Tomcat, as its webapps folder would. */
public class TomcatHost {
    public static void main(String[] args) throws Exception {
        File base = Files.createTempDirectory(new File(args[1]).toPath(), "tomcat").toFile();
        new File(base, "webapps").mkdir();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.addWebapp("", args[0]);
        tomcat.start();
        Visitors.come(tomcat.getConnector().getLocalPort());
        tomcat.stop();
        tomcat.destroy();
    }
}
