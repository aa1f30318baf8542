use super::Effect::*;
use super::*;

fn error(text: &str) -> String {
    let error = Models::parse(text).unwrap_err();
    assert!(!error.contains('\n'), "{error}");
    error
}

fn effect(models: &Models, class: &str, method: &str, descriptor: &str) -> Option<Effect> {
    models.find(class, method, descriptor).map(|model| model.effect)
}

#[test]
fn the_more_specific_wins() {
    let text = r#"
        [[group]]
        classes = ["a/**"]
        effect = "escapes"
        methods = { everywhere = "shared" }
        [[group]]
        classes = ["a/b/*", "a/b/**/*Error"]
        effect = "contained"
        [[group]]
        classes = ["a/b/C"]
        effect = "pure"
        [group.methods]
        many = "contained"
        "many(I)" = "shared"
        "many(I)V" = "escapes"
        [[group.these]]
        names = "one two"
        effect = "shared"
    "#;
    let models = Models::parse(text).unwrap();
    let effect = |class, method, descriptor| effect(&models, class, method, descriptor);
    assert_eq!(effect("a/b/C", "any", "()V"), Some(Pure));
    assert_eq!(effect("a/b/C$D", "any", "()V"), Some(Contained));
    assert_eq!(effect("a/b/D", "any", "()V"), Some(Contained));
    assert_eq!(effect("a/b/c/D", "any", "()V"), Some(Escapes));
    assert_eq!(effect("a/b/c/MyError", "any", "()V"), Some(Contained));
    assert_eq!(effect("a/D", "any", "()V"), Some(Escapes));
    assert_eq!(effect("b/D", "any", "()V"), None);
    // A name beats every default.
    assert_eq!(effect("a/b/C", "everywhere", "()V"), Some(Shared));
    assert_eq!(effect("a/b/C", "many", "()V"), Some(Contained));
    assert_eq!(effect("a/b/C", "many", "(I)I"), Some(Shared));
    assert_eq!(effect("a/b/C", "many", "(I)V"), Some(Escapes));
    assert_eq!(effect("a/b/C", "two", "()V"), Some(Shared));
}

#[test]
fn what_is_left_out_is_the_groups() {
    let text = r#"
        [[group]]
        classes = ["a/A"]
        effect = "contained"
        releases = true
        parallel = true
        methods = { f = { tasks = [1] }, g = { effect = "pure", releases = false } }
        [[group]]
        classes = ["a/B", "java/util/concurrent/B"]
        methods = { f = { tasks = [1] }, g = "pure" }
    "#;
    let models = Models::parse(text).unwrap();
    let model = |class, method| models.find(class, method, "()V").unwrap();
    assert!(model("a/A", "other").parallel && model("a/A", "other").releases);
    assert_eq!(
        (model("a/A", "f").effect, model("a/A", "f").releases),
        (Contained, true)
    );
    assert!(!model("a/A", "f").parallel && !model("a/A", "g").releases);
    assert_eq!(
        (model("a/B", "f").effect, model("a/B", "f").releases),
        (Escapes, true)
    );
    assert!(!model("a/B", "g").releases && model("java/util/concurrent/B", "g").releases);
}

#[test]
fn errors_name_the_place() {
    let group = |rest: &str| format!("[[group]]\nclasses = [\"a/A\"]\n{rest}\n");
    assert!(error("[[group]\n").starts_with("line 1: "));
    assert!(error(&group("effect = \"odd\"")).starts_with("line 3: unknown variant `odd`"));
    assert!(error(&group("colour = 1")).starts_with("line 3: unknown field `colour`"));
    let twice = group("effect = \"pure\"") + &group("effect = \"pure\"");
    assert_eq!(error(&twice), "line 5: `a/A` has a default already");
    let twice = group("methods = { f = \"pure\" }") + &group("methods = { f = \"pure\" }");
    assert_eq!(error(&twice), "line 6: `a/A.f` is declared twice");
    assert!(error(&group("methods = { f = \"odd\" }")).starts_with("line 3, `f`: unknown variant"));
    assert!(error(&group("methods = { f = { task = 1 } }")).starts_with("line 3, `f`: unknown field `task`"));
    assert_eq!(
        error(&group("methods = { f = 1 }")),
        "line 3, `f`: neither an effect nor a table"
    );
    assert_eq!(
        error(&group("methods = { \"\" = \"pure\" }")),
        "line 3, ``: names no method"
    );
    assert!(
        error(&group("methods = { \"f(I\" = \"pure\" }")).ends_with("the parameters of `f(I` do not end")
    );
    assert!(
        error(&group("these = [{ names = \"f\", odd = 1 }]")).starts_with("line 3, `these`: unknown field")
    );
    assert!(
        error("[[group]]\nclasses = [\"java.util.List\"]")
            .starts_with("line 2: `java.util.List` is no internal")
    );
    for wrong in ["*", "a/*b*", "a/*/b", "**/a", "a//B", ""] {
        error(&format!("[[group]]\nclasses = [\"{wrong}\"]"));
    }
}

/// Class, method, descriptor, effect, tasks, and flags: `r` releases, `p` parallel, `c`, `w`, `m` the reflection.
type Expected = (
    &'static str,
    &'static str,
    &'static str,
    Effect,
    &'static [u8],
    &'static str,
);

#[rustfmt::skip]
const JDK: &[Expected] = &[
    ("java/lang/Object", "<init>", "()V", Pure, &[], ""),
    ("java/lang/Object", "clone", "()Ljava/lang/Object;", Contained, &[], ""),
    ("java/lang/Object", "wait", "(J)V", Pure, &[], "r"),
    ("java/lang/Object", "notifyAll", "()V", Pure, &[], "r"),
    ("java/lang/String", "format", "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;", Pure, &[], ""),
    ("java/lang/StringBuilder", "append", "(Ljava/lang/Object;)Ljava/lang/StringBuilder;", Contained, &[], ""),
    ("java/lang/StringBuffer", "toString", "()Ljava/lang/String;", Contained, &[], "r"),
    ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", Contained, &[], ""),
    ("java/lang/System", "setOut", "(Ljava/io/PrintStream;)V", Escapes, &[], "r"),
    ("java/lang/System", "getProperties", "()Ljava/util/Properties;", Shared, &[], ""),
    ("java/lang/System", "loadLibrary", "(Ljava/lang/String;)V", Escapes, &[], "rcwm"),
    ("java/lang/Thread", "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V", Escapes, &[0, 1, 2], "r"),
    ("java/lang/Thread", "start", "()V", Escapes, &[0], "r"),
    ("java/lang/Thread", "join", "()V", Pure, &[], "r"),
    ("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", Shared, &[], ""),
    ("java/lang/Thread", "startVirtualThread", "(Ljava/lang/Runnable;)Ljava/lang/Thread;", Escapes, &[0], "r"),
    ("java/lang/Thread$Builder$OfVirtual", "start", "(Ljava/lang/Runnable;)Ljava/lang/Thread;", Escapes, &[1], "r"),
    ("java/lang/Runtime", "addShutdownHook", "(Ljava/lang/Thread;)V", Escapes, &[1], "r"),
    ("java/lang/ThreadLocal", "withInitial", "(Ljava/util/function/Supplier;)Ljava/lang/ThreadLocal;", Escapes, &[0], "r"),
    ("java/lang/ThreadLocal", "get", "()Ljava/lang/Object;", Escapes, &[], ""),
    ("java/lang/Enum", "<init>", "(Ljava/lang/String;I)V", Pure, &[], ""),
    ("java/lang/Enum", "valueOf", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;", Shared, &[], "r"),
    ("java/lang/IllegalStateException", "<init>", "(Ljava/lang/Throwable;)V", Contained, &[], ""),
    ("java/lang/Throwable", "printStackTrace", "()V", Pure, &[], "r"),
    ("java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;", Escapes, &[], "ri"),
    ("java/lang/Class", "cast", "(Ljava/lang/Object;)Ljava/lang/Object;", Contained, &[], ""),
    ("java/lang/reflect/Method", "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", Escapes, &[], "rC"),
    ("java/lang/reflect/Field", "setInt", "(Ljava/lang/Object;I)V", Escapes, &[], "rw"),
    ("java/lang/reflect/Field", "get", "(Ljava/lang/Object;)Ljava/lang/Object;", Escapes, &[], "r"),
    ("java/lang/invoke/MethodHandles$Lookup", "findVarHandle", "()V", Escapes, &[], "rw"),
    ("java/lang/invoke/MethodHandles$Lookup", "findStatic", "()V", Escapes, &[], "rF"),
    ("java/lang/invoke/MethodHandle", "invokeExact", "()V", Escapes, &[], "rC"),
    ("java/lang/invoke/VarHandle", "setRelease", "()V", Escapes, &[], "r"),
    ("sun/misc/Unsafe", "putObject", "(Ljava/lang/Object;JLjava/lang/Object;)V", Escapes, &[], "rw"),
    ("java/lang/ref/WeakReference", "get", "()Ljava/lang/Object;", Contained, &[], ""),
    ("java/lang/ref/Cleaner", "register", "(Ljava/lang/Object;Ljava/lang/Runnable;)V", Escapes, &[2], "r"),
    ("java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", Contained, &[], ""),
    ("java/util/ArrayList", "get", "(I)Ljava/lang/Object;", Contained, &[], ""),
    ("java/util/ArrayList", "addAll", "(Ljava/util/Collection;)Z", Contained, &[], "r"),
    ("java/util/EnumSet", "noneOf", "(Ljava/lang/Class;)Ljava/util/EnumSet;", Contained, &[], "r"),
    ("java/util/ArrayList", "parallelStream", "()Ljava/util/stream/Stream;", Escapes, &[0], "rp"),
    ("java/util/concurrent/ConcurrentHashMap$KeySetView", "parallelStream", "()V", Escapes, &[0], "rp"),
    ("java/util/List", "add", "(Ljava/lang/Object;)Z", Contained, &[], "r"),
    ("java/util/List", "get", "(I)Ljava/lang/Object;", Contained, &[], "r"),
    ("java/util/Map", "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", Contained, &[], "r"),
    ("java/util/Collections", "synchronizedList", "(Ljava/util/List;)Ljava/util/List;", Contained, &[], ""),
    ("java/util/Collections", "addAll", "(Ljava/util/Collection;[Ljava/lang/Object;)Z", Contained, &[], "r"),
    ("java/util/Vector", "get", "(I)Ljava/lang/Object;", Contained, &[], "r"),
    ("java/util/Objects", "requireNonNull", "(Ljava/lang/Object;)Ljava/lang/Object;", Contained, &[], ""),
    ("java/util/Objects", "hash", "([Ljava/lang/Object;)I", Pure, &[], ""),
    ("java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;", Contained, &[], ""),
    ("java/util/Arrays", "parallelSetAll", "([ILjava/util/function/IntUnaryOperator;)V", Escapes, &[1], "rp"),
    ("java/util/Timer", "schedule", "(Ljava/util/TimerTask;J)V", Escapes, &[1], "r"),
    ("java/util/ServiceLoader", "load", "(Ljava/lang/Class;)Ljava/util/ServiceLoader;", Escapes, &[], "rn"),
    ("java/io/ObjectInputStream", "available", "()I", Contained, &[], "r"),
    ("java/lang/Class", "getMethods", "()[Ljava/lang/reflect/Method;", Shared, &[], "rf"),
    ("java/lang/reflect/Parameter", "getDeclaringExecutable", "()Ljava/lang/reflect/Executable;", Escapes, &[], "rf"),
    ("java/util/logging/Logger", "getLogger", "(Ljava/lang/String;)V", Shared, &[], ""),
    ("java/util/logging/Logger", "log", "()V", Escapes, &[], "r"),
    ("java/util/function/Function", "andThen", "()V", Contained, &[], ""),
    ("java/util/stream/Stream", "map", "()V", Contained, &[], "r"),
    ("java/util/stream/IntStream", "parallel", "()Ljava/util/stream/IntStream;", Escapes, &[0], "rp"),
    ("java/util/stream/StreamSupport", "stream", "(Ljava/util/Spliterator;Z)V", Escapes, &[0], "rp"),
    ("java/util/stream/Gatherers", "mapConcurrent", "(ILjava/util/function/Function;)V", Escapes, &[1], "rp"),
    ("java/util/concurrent/ConcurrentHashMap", "put", "()V", Contained, &[], "r"),
    ("java/util/concurrent/ConcurrentHashMap", "forEach", "(Ljava/util/function/BiConsumer;)V", Contained, &[], "r"),
    ("java/util/concurrent/ConcurrentHashMap", "forEach", "(JLjava/util/function/BiConsumer;)V", Escapes, &[2], "rp"),
    ("java/util/concurrent/LinkedBlockingQueue", "take", "()Ljava/lang/Object;", Contained, &[], "r"),
    ("java/util/concurrent/atomic/AtomicInteger", "set", "(I)V", Contained, &[], "r"),
    ("java/util/concurrent/atomic/AtomicInteger", "get", "()I", Contained, &[], ""),
    ("java/util/concurrent/atomic/AtomicLongFieldUpdater", "newUpdater", "()V", Escapes, &[], "rw"),
    ("java/util/concurrent/locks/ReentrantLock", "unlock", "()V", Pure, &[], "r"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock", "<init>", "()V", Contained, &[], ""),
    ("java/util/concurrent/locks/Lock", "newCondition", "()V", Contained, &[], "r"),
    ("java/util/concurrent/locks/LockSupport", "park", "()V", Pure, &[], "r"),
    ("java/util/concurrent/locks/LockSupport", "park", "(Ljava/lang/Object;)V", Escapes, &[], "r"),
    ("java/util/concurrent/TimeUnit", "toMillis", "(J)J", Pure, &[], ""),
    ("java/util/concurrent/CountDownLatch", "countDown", "()V", Pure, &[], "r"),
    ("java/util/concurrent/CyclicBarrier", "<init>", "(ILjava/lang/Runnable;)V", Escapes, &[2], "r"),
    ("java/util/concurrent/Exchanger", "exchange", "()V", Escapes, &[], "r"),
    ("java/util/concurrent/Executors", "newCachedThreadPool", "(Ljava/util/concurrent/ThreadFactory;)V", Escapes, &[0], "r"),
    ("java/util/concurrent/Executor", "execute", "(Ljava/lang/Runnable;)V", Escapes, &[0, 1], "r"),
    ("java/util/concurrent/Future", "get", "()Ljava/lang/Object;", Escapes, &[], "r"),
    ("java/util/concurrent/FutureTask", "<init>", "(Ljava/util/concurrent/Callable;)V", Escapes, &[0, 1], "r"),
    ("java/util/concurrent/CompletableFuture", "thenApply", "(Ljava/util/function/Function;)V", Escapes, &[1], "r"),
    ("java/util/concurrent/CompletableFuture", "thenCombine", "()V", Escapes, &[2], "r"),
    ("java/util/concurrent/ForkJoinTask", "fork", "()V", Escapes, &[0], "r"),
    ("java/util/concurrent/SubmissionPublisher", "subscribe", "()V", Escapes, &[1], "r"),
    ("java/io/BufferedReader", "<init>", "(Ljava/io/Reader;)V", Contained, &[], "r"),
    ("java/io/PrintStream", "println", "(Ljava/lang/Object;)V", Pure, &[], "r"),
    ("java/io/PrintStream", "printf", "(Ljava/lang/String;[Ljava/lang/Object;)V", Contained, &[], "r"),
    ("java/io/ObjectOutputStream", "writeObject", "(Ljava/lang/Object;)V", Contained, &[], "r"),
    ("java/io/ObjectInputStream", "readObject", "()Ljava/lang/Object;", Escapes, &[], "rcwm"),
    ("java/time/LocalDate", "now", "()Ljava/time/LocalDate;", Contained, &[], ""),
    ("java/math/BigDecimal", "add", "()V", Contained, &[], ""),
    ("java/security/AccessController", "doPrivileged", "(Ljava/security/PrivilegedAction;)V", Contained, &[], ""),
    ("javax/swing/SwingUtilities", "invokeLater", "(Ljava/lang/Runnable;)V", Escapes, &[0], "rp"),
    ("java/awt/Button", "addActionListener", "()V", Escapes, &[], "rp"),
];

#[test]
fn the_jdk_does_what_we_think() {
    assert!(
        Models::parse(JDK_EFFECTS).is_ok(),
        "{:?}",
        Models::parse(JDK_EFFECTS).err()
    );
    for &(class, method, descriptor, effect, tasks, flags) in JDK {
        let model = Models::jdk().find(class, method, descriptor).unwrap();
        let flag = |is: bool, name: &'static str| if is { name } else { "" };
        let powers = |power| model.reflection.contains(&power);
        let found = [
            flag(model.releases, "r"),
            flag(model.parallel, "p"),
            flag(powers(Reflection::CallsMethods), "c"),
            flag(powers(Reflection::WritesFields), "w"),
            flag(powers(Reflection::MakesObjects), "m"),
            flag(powers(Reflection::MakesPlainObjects), "n"),
            flag(powers(Reflection::InitialisesClasses), "i"),
            flag(powers(Reflection::FindsMethods), "f"),
            flag(powers(Reflection::FindsNamed), "F"),
            flag(powers(Reflection::CallsFound), "C"),
        ];
        let found = (model.effect, &*model.tasks, found.concat());
        assert_eq!(
            found,
            (effect, tasks, flags.to_owned()),
            "{class}.{method}{descriptor}"
        );
    }
}

#[test]
fn keys_and_what_is_appended_are_only_looked_at() {
    let borrowed =
        |class, method, descriptor| &Models::jdk().find(class, method, descriptor).unwrap().borrowed;
    let get = "(Ljava/lang/Object;)Ljava/lang/Object;";
    assert_eq!(*borrowed("java/util/Map", "get", get), [1]);
    assert_eq!(
        *borrowed("java/util/concurrent/ConcurrentHashMap", "get", get),
        [1]
    );
    assert!(borrowed("java/util/Map", "put", "(Ljava/lang/Object;Ljava/lang/Object;)").is_empty());
    assert_eq!(
        *borrowed(
            "java/lang/StringBuilder",
            "append",
            "(Ljava/lang/Object;)Ljava/lang/StringBuilder;"
        ),
        [1]
    );
}

#[test]
fn what_everything_inherits_from_declares_nothing_else() {
    for class in [
        "java/lang/Object",
        "java/lang/Comparable",
        "java/lang/Iterable",
        "java/io/Serializable",
    ] {
        assert_eq!(Models::jdk().find(class, "start", "()V"), None, "{class}");
    }
    for class in [
        "java/lang/Cloneable",
        "java/lang/Enum",
        "java/lang/Record",
        "java/io/Closeable",
        "java/lang/Runnable",
    ] {
        assert_eq!(Models::jdk().find(class, "start", "()V"), None, "{class}");
    }
    assert_eq!(Models::jdk().find("java/lang/Object", "<init>", "(I)V"), None);
}
