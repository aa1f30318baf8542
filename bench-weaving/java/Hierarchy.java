import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The first look at all classes: which fields can race, which classes are threads and locks. It skips code, which
 * Racewire's scan does not: the cheapest way to decide at the same instructions.
 */
final class Hierarchy {
    private static final Map<String, List<String>> JDK_PARENTS = Map.of(
            "java/util/concurrent/locks/ReentrantLock", List.of(HookWeaver.LOCK),
            "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock", List.of(HookWeaver.LOCK),
            "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock", List.of(HookWeaver.LOCK),
            "java/util/concurrent/ForkJoinWorkerThread", List.of(HookWeaver.THREAD));

    private final Map<String, Type> types = new HashMap<>();

    /** A field that accesses resolve to; monitored if {@code declaredIn} is there. */
    private record Field(String name, String descriptor, Type declaredIn) {}

    private static final class Type {
        final String name;
        final List<String> parents = new ArrayList<>();
        final List<Field> fields = new ArrayList<>();
        /** What accesses through this class were resolved to. */
        final Map<String, Field> resolved = new HashMap<>();

        Type(String name) {
            this.name = name;
        }
    }

    void scan(byte[] bytes) {
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            private Type type;

            @Override
            public void visit(int version, int access, String name, String signature, String superName,
                    String[] interfaces) {
                type = types.computeIfAbsent(name, Type::new);
                // JVMS 5.4.3.2: superinterfaces before the superclass.
                type.parents.addAll(List.of(interfaces));
                if (superName != null) {
                    type.parents.add(superName);
                }
            }

            @Override
            public FieldVisitor visitField(int access, String name, String descriptor, String signature,
                    Object value) {
                boolean racy = (access & (Opcodes.ACC_FINAL | Opcodes.ACC_VOLATILE)) == 0;
                type.fields.add(new Field(name, descriptor, racy ? type : null));
                return null;
            }
        }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    /** Name of the class that declares the field if its accesses are to be monitored, else null. */
    String monitored(String owner, String name, String descriptor) {
        Type type = types.get(owner);
        if (type == null) {
            return null;
        }
        Field field = type.resolved.get(name);
        if (field == null || !field.descriptor.equals(descriptor)) {
            Field found = resolve(type, name, descriptor, 0);
            field = found == null || found.declaredIn == null ? new Field(name, descriptor, null) : found;
            type.resolved.put(name, field);
        }
        return field.declaredIn == null ? null : field.declaredIn.name;
    }

    private Field resolve(Type type, String name, String descriptor, int depth) {
        for (Field field : type.fields) {
            if (field.name.equals(name) && field.descriptor.equals(descriptor)) {
                return field;
            }
        }
        for (String parent : depth > 100 ? List.<String>of() : type.parents) {
            Type above = types.get(parent);
            Field found = above == null ? null : resolve(above, name, descriptor, depth + 1);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    boolean isSubtype(String name, String target) {
        return isSubtype(name, target, 0);
    }

    private boolean isSubtype(String name, String target, int depth) {
        if (name.equals(target)) {
            return true;
        }
        Type type = types.get(name);
        List<String> parents = type == null ? JDK_PARENTS.getOrDefault(name, List.of()) : type.parents;
        for (String parent : depth > 100 ? List.<String>of() : parents) {
            if (isSubtype(parent, target, depth + 1)) {
                return true;
            }
        }
        return false;
    }
}
