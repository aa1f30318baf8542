//! What the callbacks of a class do with what code that we do not see gives them.

use super::{Escape, NodeId, flag};
use crate::world::{ClassId, MethodId};
use rustc_hash::FxHashSet;

/// What code that only looks at an object may give it to.
const COMPARISONS: [&str; 3] = ["equals", "compareTo", "compare"];

impl Escape<'_> {
    /// Takes all callbacks for leaky.
    pub(super) fn suspect_callbacks(&mut self) {
        self.comparisons_leak = true;
        for class in 0..self.world.classes.len() as ClassId {
            if self
                .callbacks(class)
                .iter()
                .any(|method| self.is_finalizer(*method))
            {
                self.class_flags[class as usize] = flag::ESCAPED;
            } else if !self.callbacks(class).is_empty()
                // Who writes it to a stream calls whatever its fields lead to.
                || self.world.is_subtype_of(class, "java/io/Serializable")
            {
                self.class_flags[class as usize] = flag::LEAKY;
            }
        }
    }

    /// Takes none for leaky, until they are judged.
    pub(super) fn trust_callbacks(&mut self) {
        self.comparisons_leak = false;
        self.class_flags.fill(0);
    }

    /// The finalizer's thread gets every object (JLS 12.6).
    fn is_finalizer(&self, method: MethodId) -> bool {
        self.world.selector(self.world.method(method).selector) == ("finalize", "()V")
    }

    /// Judges every class by its methods' effects; says whether that changed anything.
    pub(super) fn judge_callbacks(&mut self) -> bool {
        let mut changed = false;
        for class in 0..self.world.classes.len() as ClassId {
            let mut flags = self.class_flags[class as usize];
            for &method in self.callbacks(class) {
                let judged = self.judge(method);
                flags |= judged;
                let (name, _) = self.world.selector(self.world.method(method).selector);
                if COMPARISONS.contains(&name)
                    && judged & (flag::LEAKY | flag::LINKY | flag::LEAKS_FIELDS) != 0
                    && !self.comparisons_leak
                {
                    self.comparisons_leak = true;
                    changed = true;
                }
            }
            changed |= flags != self.class_flags[class as usize];
            self.class_flags[class as usize] = flags;
        }
        changed
    }

    fn judge(&mut self, method: MethodId) -> u8 {
        let formals = self.nodes.formals.of(method);
        let parameters = self.nodes.formals.parameters(method).to_vec();
        let mut flags = 0;
        if self.is_finalizer(method) {
            flags |= flag::ESCAPED;
        }
        let mut seen_by_others: FxHashSet<NodeId> = FxHashSet::default();
        for given in parameters.into_iter().filter(|given| *given != 0) {
            let reached = self.reachable(given);
            if self.nodes.graph.escaped(given) {
                flags |= flag::LEAKY;
            } else if reached.iter().any(|node| self.nodes.graph.escaped(*node)) {
                flags |= flag::LEAKS_FIELDS;
            }
            if reached.iter().any(|node| seen_by_others.contains(node)) {
                flags |= flag::LINKY;
            }
            seen_by_others.extend(reached);
        }
        if formals.returned != 0 {
            let reached = self.reachable(formals.returned);
            if reached.iter().any(|node| seen_by_others.contains(node)) {
                flags |= flag::LINKY;
            }
            // Whoever called it gets new objects with callbacks of their own.
            for node in reached {
                flags |= self.nodes.graph.flags(node) & (flag::LEAKY | flag::LINKY | flag::LEAKS_FIELDS);
            }
        }
        // Exceptions go to whoever catches them: we do not follow that, so nothing that was given may be in them.
        let thrown = self.reachable(formals.exceptions);
        if thrown.iter().any(|node| seen_by_others.contains(node)) {
            flags |= flag::LEAKY;
        }
        flags
    }

    pub(super) fn reachable(&mut self, node: NodeId) -> FxHashSet<NodeId> {
        let mut waiting = vec![node];
        let mut seen = FxHashSet::default();
        while let Some(node) = waiting.pop() {
            let node = self.nodes.graph.find(node);
            if seen.insert(node) {
                waiting.extend(self.nodes.graph.fields(node).map(|(_, child)| child));
            }
        }
        seen
    }
}
