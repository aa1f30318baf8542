//! The methods of the JDK whose calls are join points: thread start and join, `Object.wait`,
//! `java.util.concurrent.locks`, and `Object.clone`.

/// A method that a hook takes the place of.
#[derive(Debug, PartialEq, Eq)]
pub struct CallModel {
    pub family: &'static str,
    pub name: &'static str,
    pub descriptor: &'static str,
    /// Final methods mean the same through `super`, so they can be replaced there too.
    pub is_final: bool,
}

pub const THREAD: &str = "java/lang/Thread";
pub const OBJECT: &str = "java/lang/Object";
pub const LOCK: &str = "java/util/concurrent/locks/Lock";
pub const CONDITION: &str = "java/util/concurrent/locks/Condition";

/// `Object.clone`, whose copies get words of their own.
pub const CLONE: (&str, &str) = ("clone", "()Ljava/lang/Object;");

const fn model(family: &'static str, name: &'static str, descriptor: &'static str) -> CallModel {
    CallModel {
        family,
        name,
        descriptor,
        is_final: false,
    }
}

const fn final_model(family: &'static str, name: &'static str, descriptor: &'static str) -> CallModel {
    CallModel {
        family,
        name,
        descriptor,
        is_final: true,
    }
}

pub static MODELS: [CallModel; 17] = [
    model(THREAD, "start", "()V"),
    final_model(THREAD, "join", "()V"),
    final_model(THREAD, "join", "(J)V"),
    final_model(THREAD, "join", "(JI)V"),
    final_model(OBJECT, "wait", "()V"),
    final_model(OBJECT, "wait", "(J)V"),
    final_model(OBJECT, "wait", "(JI)V"),
    model(LOCK, "lock", "()V"),
    model(LOCK, "lockInterruptibly", "()V"),
    model(LOCK, "tryLock", "()Z"),
    model(LOCK, "tryLock", "(JLjava/util/concurrent/TimeUnit;)Z"),
    model(LOCK, "unlock", "()V"),
    model(CONDITION, "await", "()V"),
    model(CONDITION, "awaitUninterruptibly", "()V"),
    model(CONDITION, "awaitNanos", "(J)J"),
    model(CONDITION, "await", "(JLjava/util/concurrent/TimeUnit;)Z"),
    model(CONDITION, "awaitUntil", "(Ljava/util/Date;)Z"),
];

/// Whether a call of this name and descriptor may be a join point, whoever the receiver is. Asked for every method
/// that a class names, so the name alone decides most cases.
pub fn may_be_observed(name: &[u8], descriptor: &[u8]) -> bool {
    matches!(
        name,
        b"start"
            | b"join"
            | b"wait"
            | b"lock"
            | b"lockInterruptibly"
            | b"tryLock"
            | b"unlock"
            | b"await"
            | b"awaitUninterruptibly"
            | b"awaitNanos"
            | b"awaitUntil"
            | b"clone"
    ) && MODELS
        .iter()
        .map(|model| (model.name, model.descriptor))
        .chain([CLONE])
        .any(|(n, d)| n.as_bytes() == name && d.as_bytes() == descriptor)
}

/// Whether objects of this class of the JDK are pipes or ends of one.
pub fn is_pipe(class: &str) -> bool {
    class.starts_with("java/io/Piped") || class.starts_with("java/nio/channels/Pipe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_may_be_observed() {
        for (name, descriptor) in MODELS.iter().map(|m| (m.name, m.descriptor)).chain([CLONE]) {
            assert!(may_be_observed(name.as_bytes(), descriptor.as_bytes()), "{name}");
        }
        assert!(!may_be_observed(b"start", b"(I)V") && !may_be_observed(b"run", b"()V"));
    }
}
