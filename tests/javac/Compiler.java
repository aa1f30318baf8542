import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A javac that stays: each request is a count and as many arguments, a line each; each answer a line with exit code and
 * length, then what the compiler said. Ends with its input.
 */
public final class Compiler {
    public static void main(String[] none) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String count = requests.readLine(); count != null; count = requests.readLine()) {
            String[] arguments = new String[Integer.parseInt(count)];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = requests.readLine();
            }
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            int code = compiler.run(null, said, said, arguments);
            System.out.write((code + " " + said.size() + "\n").getBytes(StandardCharsets.UTF_8));
            said.writeTo(System.out);
            System.out.flush();
        }
    }
}
