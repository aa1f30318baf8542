import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Inserts Racewire's kind of hooks the way ASM's guide recommends: reader, visitor, writer that starts from the
 * reader's constant pool; frames are passed through, not computed. Less than Racewire does: no words, no trampolines,
 * no site tables, synchronized methods as they are.
 */
final class HookWeaver extends ClassVisitor {
    static final String THREAD = "java/lang/Thread";
    static final String OBJECT = "java/lang/Object";
    static final String LOCK = "java/util/concurrent/locks/Lock";
    static final String CONDITION = "java/util/concurrent/locks/Condition";
    private static final String HOOKS = "racewire/rt/Hooks";
    private static final String ON_OBJECT = "(Ljava/lang/Object;)V";

    private record Call(String family, String descriptor) {}

    private static final Map<String, List<Call>> CALLS = Map.ofEntries(
            calls("start", THREAD, "()V"),
            calls("join", THREAD, "()V", "(J)V", "(JI)V"),
            calls("wait", OBJECT, "()V", "(J)V", "(JI)V"),
            calls("lock", LOCK, "()V"),
            calls("lockInterruptibly", LOCK, "()V"),
            calls("tryLock", LOCK, "()Z", "(JLjava/util/concurrent/TimeUnit;)Z"),
            calls("unlock", LOCK, "()V"),
            calls("await", CONDITION, "()V", "(JLjava/util/concurrent/TimeUnit;)Z"),
            calls("awaitUninterruptibly", CONDITION, "()V"),
            calls("awaitNanos", CONDITION, "(J)J"),
            calls("awaitUntil", CONDITION, "(Ljava/util/Date;)Z"));

    private static Map.Entry<String, List<Call>> calls(String name, String family, String... descriptors) {
        return Map.entry(name, Arrays.stream(descriptors).map(d -> new Call(family, d)).toList());
    }

    private final Hierarchy hierarchy;
    private final AsmServer.Counts counts;
    private String name;
    private int sites;

    private HookWeaver(ClassVisitor next, Hierarchy hierarchy, AsmServer.Counts counts) {
        super(Opcodes.ASM9, next);
        this.hierarchy = hierarchy;
        this.counts = counts;
    }

    static byte[] weave(byte[] bytes, Hierarchy hierarchy, AsmServer.Counts counts) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new HookWeaver(writer, hierarchy, counts), 0);
        try {
            return writer.toByteArray();
        } catch (MethodTooLargeException e) {
            counts.tooLarge++;
            return bytes;
        }
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        this.name = name;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
            String[] exceptions) {
        return new Hooks(super.visitMethod(access, method, descriptor, signature, exceptions), method);
    }

    private final class Hooks extends MethodVisitor {
        private final boolean isClassInitialiser;
        /** In a constructor, before super(): `this` cannot be passed to a hook. */
        private boolean beforeSuper;
        /** Objects under construction, to tell their constructor's call from super(). */
        private int created;

        Hooks(MethodVisitor next, String method) {
            super(Opcodes.ASM9, next);
            isClassInitialiser = method.equals("<clinit>");
            beforeSuper = method.equals("<init>");
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW) {
                created++;
            }
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            String declaredIn = hierarchy.monitored(owner, field, descriptor);
            boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
            boolean own = declaredIn != null && declaredIn.equals(name);
            if (declaredIn != null && !(isClassInitialiser && isStatic && own) && !(beforeSuper && own && !isStatic)) {
                switch (opcode) {
                    case Opcodes.GETFIELD -> super.visitInsn(Opcodes.DUP);
                    case Opcodes.PUTFIELD -> dupOwner(descriptor);
                    default -> { }
                }
                pushSite(sites++);
                hook("access", isStatic ? "(I)V" : "(Ljava/lang/Object;I)V");
                counts.accesses++;
            }
            super.visitFieldInsn(opcode, owner, field, descriptor);
        }

        private void dupOwner(String descriptor) {
            if (descriptor.equals("J") || descriptor.equals("D")) {
                super.visitInsn(Opcodes.DUP2_X1);
                super.visitInsn(Opcodes.POP2);
                super.visitInsn(Opcodes.DUP_X2);
            } else {
                super.visitInsn(Opcodes.DUP2);
                super.visitInsn(Opcodes.POP);
            }
        }

        private void pushSite(int site) {
            // As Racewire packs it: the index in the class and six bits of ordinal.
            int value = site << 6;
            if (value == 0) {
                super.visitInsn(Opcodes.ICONST_0);
            } else if (value <= Byte.MAX_VALUE) {
                super.visitIntInsn(Opcodes.BIPUSH, value);
            } else if (value <= Short.MAX_VALUE) {
                super.visitIntInsn(Opcodes.SIPUSH, value);
            } else {
                super.visitLdcInsn(value);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode != Opcodes.MONITORENTER && opcode != Opcodes.MONITOREXIT) {
                super.visitInsn(opcode);
                return;
            }
            boolean enter = opcode == Opcodes.MONITORENTER;
            super.visitInsn(Opcodes.DUP);
            hook(enter ? "beforeLock" : "beforeUnlock", ON_OBJECT);
            super.visitInsn(Opcodes.DUP);
            super.visitInsn(opcode);
            hook(enter ? "afterLock" : "afterUnlock", ON_OBJECT);
            counts.monitors++;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            if (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE) {
                for (Call call : CALLS.getOrDefault(method, List.of())) {
                    if (call.descriptor.equals(descriptor)
                            && (call.family.equals(OBJECT) || hierarchy.isSubtype(owner, call.family))) {
                        hook(method, "(L" + call.family + ";" + descriptor.substring(1));
                        counts.calls++;
                        return;
                    }
                }
            } else if (beforeSuper && opcode == Opcodes.INVOKESPECIAL && method.equals("<init>") && created-- == 0) {
                beforeSuper = false;
            }
            super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
        }

        private void hook(String hook, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, descriptor, false);
        }
    }
}
