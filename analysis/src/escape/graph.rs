//! Alias sets: a union-find of nodes, where each stands for objects that may be the same, with the sets its fields lead
//! to. Sets only ever merge, so everything here ends.

/// Of an alias set.
pub mod flag {
    /// Another thread may hold one of the objects, or reach it.
    pub const ESCAPED: u8 = 1;
    /// Whatever the objects' fields lead to is in the set itself.
    pub const COLLAPSED: u8 = 2;
    /// Code that we do not see may call methods of the objects, and give them objects of this set. It may do so with the
    /// elements of arrays, too.
    pub const CALLED: u8 = 4;
    /// Has objects whose callbacks let what they are given escape.
    pub const LEAKY: u8 = 8;
    /// Has objects whose callbacks store what they are given in each other.
    pub const LINKY: u8 = 16;
    /// What the objects' fields lead to has escaped, but not they themselves: such as the task of a single thread.
    pub const HANDED: u8 = 32;
    /// Has objects whose callbacks let what their fields lead to escape.
    pub const LEAKS_FIELDS: u8 = 64;
    /// Has objects that were handed to one thread as its task: a mark without consequences.
    pub const TASK: u8 = 128;
}

/// A field: the number of its name, or one of these.
pub type Key = u32;
pub const ELEMENT: Key = u32::MAX;
/// The first captured value of a lambda; the others count down.
pub const FIRST_CAPTURED: Key = u32::MAX - 1;

pub type NodeId = u32;

/// Who looks for a root wants its flags or its fields next: they lie side by side, in eight bytes, since there are
/// millions of sets.
#[derive(Debug, Clone, Copy)]
struct Set {
    parent: NodeId,
    /// The first of its fields, for roots that have some, above the flags.
    rest: u32,
}

/// A field of a set. Those of one set are a chain through the one list that holds all: a list of its own for each of a
/// million sets, most of which have one field, would be mostly overhead.
#[derive(Debug, Clone, Copy)]
struct Field {
    key: Key,
    child: NodeId,
    next: FieldId,
}

/// One more than the place in `fields`.
type FieldId = u32;
const NO_FIELD: FieldId = 0;

/// Bytes of a node.
pub const NODE_SIZE: usize = size_of::<Set>();

const FLAGS: u32 = 8;
/// As many as have a number. With more fields than that sets are told in less detail.
const MOST_FIELDS: usize = (1 << (u32::BITS - FLAGS)) - 1;

impl Set {
    fn flags(self) -> u8 {
        self.rest as u8
    }

    fn add_flags(&mut self, flags: u8) {
        self.rest |= u32::from(flags);
    }

    fn first(self) -> FieldId {
        self.rest >> FLAGS
    }

    fn set_first(&mut self, first: FieldId) {
        self.rest = first << FLAGS | u32::from(self.flags());
    }
}

#[derive(Debug)]
pub struct Graph {
    sets: Vec<Set>,
    fields: Vec<Field>,
    /// The chain of fields that nobody has any more.
    free: FieldId,
    most_fields: usize,
    /// Sets that are to be merged.
    pending: Vec<(NodeId, NodeId)>,
    escaping: Vec<NodeId>,
    /// Elements of arrays that are called.
    called: Vec<NodeId>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::with_room(0)
    }
}

impl Graph {
    /// With room for so many nodes.
    pub fn with_room(nodes: usize) -> Graph {
        Graph {
            sets: Vec::with_capacity(nodes),
            // Room that is never used takes no memory; what has to grow is there twice for a while.
            fields: Vec::with_capacity(nodes / 4),
            free: NO_FIELD,
            most_fields: MOST_FIELDS,
            pending: Vec::new(),
            escaping: Vec::new(),
            called: Vec::new(),
        }
    }

    /// Makes `count` nodes; gives the first.
    pub fn add(&mut self, count: u32) -> NodeId {
        let first = self.sets.len() as NodeId;
        self.sets
            .extend((first..first + count).map(|parent| Set { parent, rest: 0 }));
        first
    }

    pub fn find(&mut self, mut node: NodeId) -> NodeId {
        loop {
            let parent = self.sets[node as usize].parent;
            if parent == node {
                return node;
            }
            let grandparent = self.sets[parent as usize].parent;
            self.sets[node as usize].parent = grandparent;
            node = grandparent;
        }
    }

    pub fn has(&mut self, node: NodeId, flags: u8) -> bool {
        let root = self.find(node);
        self.sets[root as usize].flags() & flags != 0
    }

    pub fn flags(&mut self, node: NodeId) -> u8 {
        let root = self.find(node);
        self.sets[root as usize].flags()
    }

    pub fn escaped(&mut self, node: NodeId) -> bool {
        self.has(node, flag::ESCAPED)
    }

    /// The fields of a set: at most those that somebody asked for.
    pub fn fields(&mut self, node: NodeId) -> impl Iterator<Item = (Key, NodeId)> {
        let root = self.find(node);
        self.chain(self.sets[root as usize].first())
    }

    pub fn has_fields(&mut self, node: NodeId) -> bool {
        let root = self.find(node);
        self.sets[root as usize].first() != NO_FIELD
    }

    fn at(&self, field: FieldId) -> Option<&Field> {
        self.fields.get((field as usize).checked_sub(1)?)
    }

    fn at_mut(&mut self, field: FieldId) -> Option<&mut Field> {
        self.fields.get_mut((field as usize).checked_sub(1)?)
    }

    fn chain(&self, mut next: FieldId) -> impl Iterator<Item = (Key, NodeId)> {
        std::iter::from_fn(move || {
            let field = self.at(next)?;
            next = field.next;
            Some((field.key, field.child))
        })
    }

    /// What the field of a root leads to; where there is no such field, the last that there is.
    fn search(&self, root: NodeId, key: Key) -> Result<NodeId, FieldId> {
        let mut last = NO_FIELD;
        let mut next = self.sets[root as usize].first();
        while let Some(field) = self.at(next) {
            if field.key == key {
                return Ok(field.child);
            }
            (last, next) = (next, field.next);
        }
        Err(last)
    }

    /// Whether the first root has fewer fields than the second; as long as the shorter chain is.
    fn has_fewer_fields(&self, one: NodeId, other: NodeId) -> bool {
        let first = |root: NodeId| self.sets[root as usize].first();
        let (mut one, mut other) = (self.chain(first(one)), self.chain(first(other)));
        loop {
            match (one.next(), other.next()) {
                (Some(_), Some(_)) => {}
                (ended, goes_on) => return ended.is_none() && goes_on.is_some(),
            }
        }
    }

    /// Puts a field behind the last one of a root.
    fn append(&mut self, root: NodeId, last: FieldId, field: FieldId) {
        match self.at_mut(last) {
            Some(last) => last.next = field,
            None => self.sets[root as usize].set_first(field),
        }
    }

    /// A field that belongs to nobody yet; `None` if there is no room for more.
    fn new_field(&mut self, key: Key, child: NodeId) -> Option<FieldId> {
        let new = Field {
            key,
            child,
            next: NO_FIELD,
        };
        let unused = self.free;
        if let Some(field) = self.at_mut(unused) {
            let next = std::mem::replace(field, new).next;
            self.free = next;
            return Some(unused);
        }
        (self.fields.len() < self.most_fields).then(|| {
            self.fields.push(new);
            self.fields.len() as FieldId
        })
    }

    /// The field is nobody's any more.
    fn give_back(&mut self, field: FieldId) {
        let free = self.free;
        if let Some(unused) = self.at_mut(field) {
            unused.next = free;
            self.free = field;
        }
    }

    /// Takes its fields away from a root, and does to what they lead to what `each` says.
    fn take_fields(&mut self, root: NodeId, mut each: impl FnMut(&mut Self, NodeId)) {
        let mut next = self.sets[root as usize].first();
        self.sets[root as usize].set_first(NO_FIELD);
        while let Some(&field) = self.at(next) {
            self.give_back(next);
            next = field.next;
            each(self, field.child);
        }
    }

    /// The set that a field leads to.
    pub fn field(&mut self, node: NodeId, key: Key) -> NodeId {
        let root = self.find(node);
        let flags = self.sets[root as usize].flags();
        if flags & (flag::ESCAPED | flag::COLLAPSED) != 0 {
            return root;
        }
        let last = match self.search(root, key) {
            Ok(child) => return self.find(child),
            Err(last) => last,
        };
        let child = self.sets.len() as NodeId;
        let Some(field) = self.new_field(key, child) else {
            // All that its fields lead to is in it: less is known then, but nothing that is wrong.
            self.collapse(root);
            return self.find(root);
        };
        self.add(1);
        self.append(root, last, field);
        if flags & flag::HANDED != 0 {
            self.sets[child as usize].add_flags(flag::ESCAPED);
        } else if key == ELEMENT {
            self.sets[child as usize].add_flags(flags & flag::CALLED);
        }
        child
    }

    /// The set that a field leads to, if anybody asked for it.
    pub fn known_field(&mut self, node: NodeId, key: Key) -> Option<NodeId> {
        let root = self.find(node);
        if self.sets[root as usize].flags() & (flag::ESCAPED | flag::COLLAPSED) != 0 {
            return Some(root);
        }
        let child = self.search(root, key).ok()?;
        Some(self.find(child))
    }

    pub fn add_flags(&mut self, node: NodeId, flags: u8) {
        let root = self.find(node);
        let before = self.sets[root as usize].flags();
        if before | flags == before || before & flag::ESCAPED != 0 {
            return;
        }
        self.sets[root as usize].add_flags(flags);
        self.settle(root);
        self.drain();
    }

    pub fn escape(&mut self, node: NodeId) {
        self.add_flags(node, flag::ESCAPED);
    }

    pub fn unify(&mut self, a: NodeId, b: NodeId) {
        self.pending.push((a, b));
        self.drain();
    }

    /// Draws the consequences of the flags of a root.
    fn settle(&mut self, root: NodeId) {
        use flag::*;
        let mut flags = self.sets[root as usize].flags();
        let is_called = flags & CALLED != 0;
        if is_called && flags & LEAKY != 0 {
            flags |= ESCAPED;
        } else if is_called && flags & LINKY != 0 {
            flags |= COLLAPSED;
        }
        if is_called && flags & LEAKS_FIELDS != 0 {
            flags |= HANDED;
        }
        if flags & HANDED != 0 && flags & COLLAPSED != 0 {
            flags |= ESCAPED;
        }
        self.sets[root as usize].add_flags(flags);
        if is_called && let Ok(element) = self.search(root, ELEMENT) {
            self.called.push(element);
        }
        if flags & (ESCAPED | COLLAPSED | HANDED) == 0 {
            return;
        }
        if flags & ESCAPED != 0 {
            self.take_fields(root, |graph, child| graph.escaping.push(child));
        } else if flags & COLLAPSED != 0 {
            self.take_fields(root, |graph, child| graph.pending.push((root, child)));
        } else {
            let mut next = self.sets[root as usize].first();
            while let Some(&field) = self.at(next) {
                next = field.next;
                self.escaping.push(field.child);
            }
        }
    }

    fn drain(&mut self) {
        loop {
            if let Some(node) = self.escaping.pop() {
                let root = self.find(node);
                if self.sets[root as usize].flags() & flag::ESCAPED == 0 {
                    self.sets[root as usize].add_flags(flag::ESCAPED);
                    self.settle(root);
                }
            } else if let Some((a, b)) = self.pending.pop() {
                self.merge(a, b);
            } else if let Some(node) = self.called.pop() {
                let root = self.find(node);
                if self.sets[root as usize].flags() & (flag::CALLED | flag::ESCAPED) == 0 {
                    self.sets[root as usize].add_flags(flag::CALLED);
                    self.settle(root);
                }
            } else {
                return;
            }
        }
    }

    fn merge(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        // The one with more fields keeps them.
        let (kept, gone) = if self.has_fewer_fields(a, b) {
            (b, a)
        } else {
            (a, b)
        };
        let gone_set = &mut self.sets[gone as usize];
        let (flags, mut next) = (gone_set.flags(), gone_set.first());
        gone_set.set_first(NO_FIELD);
        gone_set.parent = kept;
        self.sets[kept as usize].add_flags(flags);
        while let Some(&field) = self.at(next) {
            match self.search(kept, field.key) {
                Ok(other) => {
                    self.pending.push((other, field.child));
                    self.give_back(next);
                }
                Err(last) => {
                    if let Some(moved) = self.at_mut(next) {
                        moved.next = NO_FIELD;
                    }
                    self.append(kept, last, next);
                }
            }
            next = field.next;
        }
        self.settle(kept);
    }

    /// Nobody will ask where sets lead to any more.
    pub fn forget_fields(&mut self) {
        self.fields = Vec::new();
        self.free = NO_FIELD;
    }

    /// Makes everything that can be reached from `node` one set.
    pub fn collapse(&mut self, node: NodeId) {
        self.add_flags(node, flag::COLLAPSED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_escaped_object_leads_to_has_escaped_whenever_it_is_stored() {
        let mut graph = Graph::default();
        let (holder, held) = (graph.add(1), graph.add(1));
        let field = graph.field(holder, 7);
        graph.unify(field, held);
        assert!(!graph.escaped(held));
        graph.escape(holder);
        assert!(graph.escaped(held));
        let late = graph.add(1);
        let field = graph.field(holder, 8);
        graph.unify(field, late);
        assert!(graph.escaped(late));
    }

    #[test]
    fn holding_something_escaped_lets_nobody_else_escape() {
        let mut graph = Graph::default();
        let (holder, shared) = (graph.add(1), graph.add(1));
        graph.escape(shared);
        let field = graph.field(holder, 7);
        graph.unify(field, shared);
        assert!(!graph.escaped(holder));
        let other = graph.field(holder, 8);
        assert!(!graph.escaped(other));
    }

    #[test]
    fn merging_sets_merges_their_fields() {
        let mut graph = Graph::default();
        let (a, b) = (graph.add(1), graph.add(1));
        let (in_a, in_b) = (graph.field(a, 1), graph.field(b, 1));
        graph.unify(a, b);
        assert_eq!(graph.find(in_a), graph.find(in_b));
    }

    #[test]
    fn a_set_that_gets_no_field_is_one_with_what_it_would_lead_to() {
        let mut graph = Graph {
            most_fields: 1,
            ..Graph::default()
        };
        let (a, b, c) = (graph.add(1), graph.add(1), graph.add(1));
        let (in_a, in_b) = (graph.field(a, 1), graph.field(b, 1));
        assert!(in_a != a && in_b == graph.find(b));
        graph.unify(in_b, c);
        graph.escape(b);
        assert!(graph.escaped(c) && !graph.escaped(in_a));
        // What has escaped needs its fields no more.
        graph.escape(a);
        let d = graph.add(1);
        assert!(graph.field(d, 1) != d);
    }

    #[test]
    fn circles_end() {
        let mut graph = Graph::default();
        let (a, b) = (graph.add(1), graph.add(1));
        let next = graph.field(a, 1);
        graph.unify(next, b);
        let back = graph.field(b, 1);
        graph.unify(back, a);
        graph.unify(a, b);
        assert_eq!(graph.field(a, 1), graph.find(a));
        graph.collapse(a);
        graph.escape(a);
        assert!(graph.escaped(b));
    }

    #[test]
    fn callbacks_that_leak_count_only_where_they_are_called() {
        let mut graph = Graph::default();
        let (leaky, called) = (graph.add(1), graph.add(1));
        graph.add_flags(leaky, flag::LEAKY);
        graph.add_flags(called, flag::CALLED);
        assert!(!graph.escaped(leaky) && !graph.escaped(called));
        graph.unify(leaky, called);
        assert!(graph.escaped(leaky));
    }

    #[test]
    fn elements_of_what_is_called_are_called() {
        let mut graph = Graph::default();
        let (array, other) = (graph.add(1), graph.add(1));
        let before = graph.field(array, ELEMENT);
        let inner = graph.field(before, ELEMENT);
        let held = graph.field(array, 1);
        graph.add_flags(array, flag::CALLED);
        let after = graph.field(other, ELEMENT);
        graph.unify(array, other);
        assert!(graph.has(before, flag::CALLED) && graph.has(inner, flag::CALLED));
        assert!(graph.has(after, flag::CALLED) && !graph.has(held, flag::CALLED));
        let later = graph.field(inner, ELEMENT);
        assert!(graph.has(later, flag::CALLED));
    }

    #[test]
    fn a_task_that_is_handed_over_takes_its_fields_along() {
        let mut graph = Graph::default();
        let task = graph.add(1);
        let before = graph.field(task, 1);
        graph.add_flags(task, flag::HANDED);
        let after = graph.field(task, 2);
        assert!(graph.escaped(before) && graph.escaped(after) && !graph.escaped(task));
    }
}
