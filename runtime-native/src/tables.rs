//! What the detector's numbers stand for: names and starting places of threads, descriptions of locks.
//! Programs make threads and locks by the million, so each entry is a few
//! bytes and all text is shared.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Texts, each kept once.
#[derive(Default)]
pub struct Texts {
    ids: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Texts {
    pub fn id(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.ids.insert(text, id);
        id
    }

    pub fn get(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |t| t)
    }
}

/// Lists of small numbers (frames of a stack, locks held), each kept once.
#[derive(Default)]
pub struct Lists {
    ids: FxHashMap<Arc<[u32]>, u32>,
    lists: Vec<Arc<[u32]>>,
}

impl Lists {
    pub fn id(&mut self, list: &[u32]) -> u32 {
        if let Some(&id) = self.ids.get(list) {
            return id;
        }
        let id = self.lists.len() as u32;
        let list: Arc<[u32]> = list.into();
        self.lists.push(list.clone());
        self.ids.insert(list, id);
        id
    }

    pub fn get(&self, id: u32) -> &[u32] {
        self.lists.get(id as usize).map_or(&[], |l| l)
    }
}

/// Stacks as Java hands them over, each frame and each stack kept once.
#[derive(Default)]
pub struct StackTexts {
    frames: Texts,
    stacks: Lists,
}

impl StackTexts {
    pub fn id(&mut self, stack: &[String]) -> u32 {
        let frames: Vec<u32> = stack.iter().map(|frame| self.frames.id(frame)).collect();
        self.stacks.id(&frames)
    }

    pub fn get(&self, id: u32) -> Vec<String> {
        self.stacks
            .get(id)
            .iter()
            .map(|&frame| self.frames.get(frame).to_owned())
            .collect()
    }
}

#[derive(Clone, Copy)]
struct Thread {
    name: u32,
    started_at: u32,
}

/// Threads by the id the detector gave them.
#[derive(Default)]
pub struct Threads {
    names: Texts,
    threads: FxHashMap<u32, Thread>,
}

impl Threads {
    pub fn add(&mut self, id: u32, name: &str, started_at: u32) {
        let name = self.names.id(name);
        self.threads.insert(id, Thread { name, started_at });
    }

    pub fn name(&self, id: u32) -> &str {
        self.threads.get(&id).map_or("", |t| self.names.get(t.name))
    }

    /// The stack at which it was started, in the engine's [`StackTexts`].
    pub fn started_at(&self, id: u32) -> Option<u32> {
        self.threads.get(&id).map(|t| t.started_at)
    }
}

/// Living locks by id; a description such as `com.acme.Bank@77ab` is kept as its class and its hash. It goes with
/// the lock: programs that make locks by the million would pay for each of them for ever.
#[derive(Default)]
pub struct LockTexts {
    classes: Texts,
    locks: FxHashMap<u32, (u32, Option<u32>)>,
}

impl LockTexts {
    pub fn add(&mut self, id: u32, description: &str) {
        let split = description
            .rsplit_once('@')
            .and_then(|(class, hash)| Some((class, u32::from_str_radix(hash, 16).ok()?)));
        let lock = match split {
            Some((class, hash)) => (self.classes.id(class), Some(hash)),
            None => (self.classes.id(description), None),
        };
        self.locks.insert(id, lock);
    }

    pub fn remove(&mut self, id: u32) {
        self.locks.remove(&id);
    }

    pub fn describe(&self, id: u32) -> String {
        match self.locks.get(&id) {
            Some(&(class, Some(hash))) => format!("{}@{hash:x}", self.classes.get(class)),
            Some(&(class, None)) => self.classes.get(class).to_owned(),
            None => "a lock that is gone".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_descriptions_come_back_as_they_went_in() {
        let mut locks = LockTexts::default();
        for (id, text) in [
            (2, "com.acme.Bank@77ab"),
            (3, "com.acme.Bank.class"),
            (4, "odd@name"),
            (5, "x@ffffffff"),
        ] {
            locks.add(id, text);
            assert_eq!(locks.describe(id), text);
        }
    }

    #[test]
    fn equal_stacks_are_kept_once() {
        let mut stacks = StackTexts::default();
        let (a, b) = (
            vec!["A.a(A.java:1)".to_owned()],
            vec!["A.a(A.java:1)".to_owned(), "B.b(B.java:2)".to_owned()],
        );
        let (one, two) = (stacks.id(&a), stacks.id(&b));
        assert_eq!((stacks.id(&a), stacks.get(two)), (one, b));
        assert_ne!(one, two);
    }
}
