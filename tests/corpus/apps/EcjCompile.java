import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/**
 * ECJ (which compiles on several threads of its own) compiles the sources of a folder; prints every class it
 * wrote with a hash of its bytes.
 */
public final class EcjCompile {
    public static void main(String[] args) throws Exception {
        Path sources = Path.of(args[0]);
        Path out = Files.createTempDirectory(Path.of("."), "ecj");
        StringWriter messages = new StringWriter();
        List<String> options = new ArrayList<>(List.of("-17", "-g", "-nowarn", "-proc:none", "-encoding", "UTF-8"));
        options.addAll(List.of("-d", out.toString(), sources.toString()));
        PrintWriter writer = new PrintWriter(messages);
        boolean success = BatchCompiler.compile(options.toArray(new String[0]), writer, writer, null);
        System.out.println("success " + success);
        System.out.print(messages);
        try (Stream<Path> files = Files.walk(out)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < 8; i++) {
                    text.append(String.format("%02x", hash[i]));
                }
                System.out.println(out.relativize(file) + " " + text);
            }
        }
    }
}
