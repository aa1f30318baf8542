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
    /// Index in `lists`, for roots with fields (0: none), above the flags.
    rest: u32,
}

const FLAGS: u32 = 8;
/// As many as have a number. With more fields than that sets are told in less detail.
const MOST_LISTS: usize = (1 << (u32::BITS - FLAGS)) - 1;

impl Set {
    fn flags(self) -> u8 {
        self.rest as u8
    }

    fn add_flags(&mut self, flags: u8) {
        self.rest |= u32::from(flags);
    }

    fn list(self) -> u32 {
        self.rest >> FLAGS
    }

    fn set_list(&mut self, list: u32) {
        self.rest = list << FLAGS | u32::from(self.flags());
    }
}

#[derive(Debug)]
pub struct Graph {
    sets: Vec<Set>,
    lists: Vec<Vec<(Key, NodeId)>>,
    /// Places in `lists` that nobody uses any more.
    free: Vec<u32>,
    most_lists: usize,
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
            lists: Vec::new(),
            free: Vec::new(),
            most_lists: MOST_LISTS,
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
    pub fn fields(&mut self, node: NodeId) -> &[(Key, NodeId)] {
        let root = self.find(node);
        self.list(root)
    }

    fn list(&self, root: NodeId) -> &[(Key, NodeId)] {
        let list = self.sets[root as usize].list() as usize;
        list.checked_sub(1).map_or(&[], |list| &self.lists[list])
    }

    fn list_mut(&mut self, root: NodeId) -> &mut Vec<(Key, NodeId)> {
        let mut list = self.sets[root as usize].list();
        if list == 0 {
            list = self.free.pop().unwrap_or_else(|| {
                self.lists.push(Vec::new());
                self.lists.len() as u32
            });
            self.sets[root as usize].set_list(list);
        }
        &mut self.lists[list as usize - 1]
    }

    fn push_field(&mut self, root: NodeId, key: Key, child: NodeId) {
        let list = self.list_mut(root);
        if list.is_empty() {
            // Most sets have one field, and there are hundreds of thousands of them.
            list.reserve_exact(1);
        }
        list.push((key, child));
    }

    fn take_list(&mut self, root: NodeId) -> Vec<(Key, NodeId)> {
        let list = self.sets[root as usize].list();
        if list == 0 {
            return Vec::new();
        }
        self.sets[root as usize].set_list(0);
        self.free.push(list);
        std::mem::take(&mut self.lists[list as usize - 1])
    }

    /// The set that a field leads to.
    pub fn field(&mut self, node: NodeId, key: Key) -> NodeId {
        let root = self.find(node);
        if self.sets[root as usize].flags() & (flag::ESCAPED | flag::COLLAPSED) != 0 {
            return root;
        }
        if let Some(&(_, child)) = self.list(root).iter().find(|(k, _)| *k == key) {
            return self.find(child);
        }
        if self.sets[root as usize].list() == 0 && self.free.is_empty() && self.lists.len() >= self.most_lists
        {
            // All that its fields lead to is in it: less is known then, but nothing that is wrong.
            self.collapse(root);
            return self.find(root);
        }
        let child = self.add(1);
        self.push_field(root, key, child);
        let flags = self.sets[root as usize].flags();
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
        let (_, child) = *self.list(root).iter().find(|(k, _)| *k == key)?;
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
        if is_called && let Some(&(_, element)) = self.list(root).iter().find(|(k, _)| *k == ELEMENT) {
            self.called.push(element);
        }
        if flags & (ESCAPED | COLLAPSED | HANDED) == 0 {
            return;
        }
        if flags & ESCAPED != 0 {
            let fields = self.take_list(root);
            self.escaping.extend(fields.into_iter().map(|(_, child)| child));
        } else if flags & COLLAPSED != 0 {
            let fields = self.take_list(root);
            self.pending
                .extend(fields.into_iter().map(|(_, child)| (root, child)));
        } else {
            let list = self.sets[root as usize].list() as usize;
            let fields = list.checked_sub(1).and_then(|list| self.lists.get(list));
            let children = fields.into_iter().flatten().map(|(_, child)| *child);
            self.escaping.extend(children);
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
        let (kept, gone) = if self.list(a).len() >= self.list(b).len() {
            (a, b)
        } else {
            (b, a)
        };
        self.sets[gone as usize].parent = kept;
        let flags = self.sets[gone as usize].flags();
        self.sets[kept as usize].add_flags(flags);
        for (key, child) in self.take_list(gone) {
            let known = self.list(kept).iter().find(|(k, _)| *k == key);
            match known {
                Some(&(_, other)) => self.pending.push((other, child)),
                None => self.push_field(kept, key, child),
            }
        }
        self.settle(kept);
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
    fn a_set_that_gets_no_list_is_one_with_its_fields() {
        let mut graph = Graph {
            most_lists: 1,
            ..Graph::default()
        };
        let (a, b, c) = (graph.add(1), graph.add(1), graph.add(1));
        let (in_a, in_b) = (graph.field(a, 1), graph.field(b, 1));
        assert!(in_a != a && in_b == graph.find(b));
        graph.unify(in_b, c);
        graph.escape(b);
        assert!(graph.escaped(c) && !graph.escaped(in_a));
        // What has escaped needs its list no more.
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
