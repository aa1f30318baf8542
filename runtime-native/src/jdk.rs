//! The few things of the JDK that only JNI can reach, because JNI is not subject to the module system's
//! encapsulation: its internal memory access, its own shutdown sequence, private fields.
#![expect(unsafe_code, reason = "arguments of JNI calls are untyped; see env")]

use crate::env::Env;
use jni_sys::{jarray, jclass, jint, jobject, jvalue};
use std::ffi::CString;

/// `java.lang.Shutdown` has ten slots, run in order. The JDK uses 0 (console), 1 (the program's hooks) and
/// 2 (files to delete).
const FREE_SLOTS: std::ops::Range<jint> = 3..10;

/// Exports `jdk.internal.misc` of `java.base` to the module of `runtime`, named or not.
pub fn export_internals(env: Env, runtime: jclass) -> Result<(), &'static str> {
    let class = env.class(c"java/lang/Class").ok_or("no java.lang.Class")?;
    let object = env.class(c"java/lang/Object").ok_or("no java.lang.Object")?;
    let module = env.class(c"java/lang/Module").ok_or("this JDK has no modules")?;
    let module_of = |of| {
        // SAFETY: no arguments, as the descriptor says.
        let found = unsafe { env.call_object(of, class, c"getModule", c"()Ljava/lang/Module;", &[]) };
        found.ok_or("a class without a module")
    };
    let (base, ours) = (module_of(object)?, module_of(runtime)?);
    let package = env.new_string("jdk.internal.misc");
    let arguments = [jvalue { l: package }, jvalue { l: ours }];
    // SAFETY: a String and a Module, as the descriptor says.
    let done = unsafe {
        env.call_void(
            base,
            module,
            c"implAddExports",
            c"(Ljava/lang/String;Ljava/lang/Module;)V",
            &arguments,
        )
    };
    done.then_some(())
        .ok_or("this JDK does not let us export jdk.internal.misc")
}

/// The slot that `hook` got, or -1.
pub fn at_exit(env: Env, hook: jobject) -> jint {
    let Some(shutdown) = env.class(c"java/lang/Shutdown") else {
        return -1;
    };
    let taken = |&slot: &jint| {
        let arguments = [jvalue { i: slot }, jvalue { z: false }, jvalue { l: hook }];
        // SAFETY: an int, a boolean and a Runnable, as the descriptor says. An occupied slot throws.
        unsafe { env.call_static_void(shutdown, c"add", c"(IZLjava/lang/Runnable;)V", &arguments) }
    };
    FREE_SLOTS.into_iter().find(taken).unwrap_or(-1)
}

/// The hooks in the slots after `slot`, as a `Runnable[]`.
pub fn exit_hooks_after(env: Env, slot: jint) -> Option<jarray> {
    let shutdown = env.class(c"java/lang/Shutdown")?;
    let runnable = env.class(c"java/lang/Runnable")?;
    env.static_array_tail(shutdown, c"hooks", c"[Ljava/lang/Runnable;", runnable, slot + 1)
}

/// The private method is behind all of reflection's, which keep what it finds.
pub fn declared_fields(env: Env, owner: jclass) -> Option<jarray> {
    let class = env.class(c"java/lang/Class")?;
    let all = jvalue { z: false };
    // SAFETY: a boolean (whether only public fields are wanted), as the descriptor says.
    unsafe {
        env.call_object(
            owner,
            class,
            c"getDeclaredFields0",
            c"(Z)[Ljava/lang/reflect/Field;",
            &[all],
        )
    }
}

pub fn field(env: Env, owner: jclass, name: String, descriptor: String, is_static: bool) -> Option<jobject> {
    // JNI takes names in modified UTF-8, which differs from UTF-8 for NUL and beyond the basic plane only;
    // a field named with such characters is not found and so not monitored.
    let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
    env.reflected_field(owner, &name, &descriptor, is_static)
}
