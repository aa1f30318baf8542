//! Sorts values into nodes: those that meet share one. Numbers the nodes that somebody names.

use super::phis::Phis;
use super::recording::Recording;
use super::values::{NULL, THROWN, Value, Values, phi_index};
use crate::facts::{EXCEPTIONS, MethodFacts, Node, Op};

const UNNUMBERED: Node = Node::MAX;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Nodes {
    /// A union-find forest: values, then phis.
    parents: Vec<u32>,
    /// The node of each root.
    numbers: Vec<Node>,
    values: usize,
    count: Node,
}

impl Nodes {
    /// After the phis are reduced.
    pub fn join(&mut self, values: &Values, phis: &Phis, recording: &Recording) {
        self.values = values.count();
        let all = values.count() + values.phi_count();
        self.parents.clear();
        self.parents.extend(0..all as u32);
        self.numbers.clear();
        self.numbers.resize(all, UNNUMBERED);
        for (phi, input) in &recording.phi_inputs {
            if *input != NULL {
                self.unite(*phi, *input);
            }
        }
        for (one, other) in &recording.joined {
            self.unite(phis.resolve(*one), phis.resolve(*other));
        }
        for caught in values.all_caught() {
            self.unite(THROWN, caught);
        }
        let thrown = self.root(THROWN);
        if let Some(number) = self.numbers.get_mut(thrown) {
            *number = EXCEPTIONS;
        }
        self.count = 1;
    }

    fn root(&mut self, value: Value) -> usize {
        let mut at = match phi_index(value) {
            Some(phi) => self.values + phi,
            None => value as usize,
        };
        // Halving the path keeps the trees flat.
        while let Some(parent) = self.parents.get(at).map(|parent| *parent as usize)
            && parent != at
        {
            let grand = self.parents.get(parent).copied().unwrap_or(parent as u32);
            if let Some(slot) = self.parents.get_mut(at) {
                *slot = grand;
            }
            at = grand as usize;
        }
        at
    }

    fn unite(&mut self, one: Value, other: Value) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(parent) = self.parents.get_mut(one.max(other)) {
            *parent = one.min(other) as u32;
        }
    }

    /// The node of a value that has one.
    pub fn number(&mut self, phis: &Phis, value: Value) -> Node {
        let root = self.root(phis.resolve(value));
        match self.numbers.get_mut(root) {
            Some(number) => {
                if *number == UNNUMBERED {
                    *number = self.count;
                    self.count += 1;
                }
                *number
            }
            None => EXCEPTIONS,
        }
    }

    /// Puts nodes where values stand.
    pub fn renumber(&mut self, phis: &Phis, facts: &mut MethodFacts) {
        let mut number = |value: &mut Value| *value = self.number(phis, *value);
        facts.parameters.iter_mut().flatten().for_each(&mut number);
        for op in &mut facts.ops {
            match op {
                Op::New { node, .. } => number(node),
                Op::Lambda { node, captured, .. } => {
                    captured.iter_mut().flatten().for_each(&mut number);
                    number(node);
                }
                Op::Load { base, to, .. } | Op::LoadElement { base, to } => {
                    number(base);
                    number(to);
                }
                Op::Store { base, from, .. } | Op::StoreElement { base, from } => {
                    number(base);
                    number(from);
                }
                Op::LoadStatic { to, .. } => number(to),
                Op::StoreStatic { from, .. } => number(from),
                Op::Call(call) => {
                    call.arguments.iter_mut().flatten().for_each(&mut number);
                    call.result.iter_mut().for_each(&mut number);
                }
                Op::Describe { nodes } | Op::Unknown { nodes, .. } => {
                    let mut sorted = std::mem::take(nodes).into_vec();
                    sorted.iter_mut().for_each(&mut number);
                    sorted.sort_unstable();
                    sorted.dedup();
                    *nodes = sorted.into();
                }
            }
        }
        for access in &mut facts.accesses {
            access.base.iter_mut().for_each(&mut number);
        }
        for element in &mut facts.elements {
            number(&mut element.array);
        }
        facts.returned.iter_mut().for_each(&mut number);
        facts.nodes = self.count;
    }
}
