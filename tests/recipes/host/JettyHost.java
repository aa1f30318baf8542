package host;

import java.io.File;
import org.eclipse.jetty.ee10.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Deploys a war in Jetty. */
public class JettyHost {
    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        WebAppContext context = new WebAppContext(args[0], "/");
        context.addConfiguration(new AnnotationConfiguration());
        context.setTempDirectory(new File(args[1], "jetty"));
        server.setHandler(context);
        server.start();
        Visitors.come(connector.getLocalPort());
        server.stop();
    }
}
