//! What is asked about the values of one method.

use super::{Body, Call, Op};
use crate::facts::{EXCEPTIONS, Node, OpId};

impl Body<'_> {
    /// The calls that what this call gives back is passed to; `None` if it goes elsewhere too.
    pub fn passed_to(&self, call: OpId) -> Option<Vec<OpId>> {
        let Some(Op::Call(Call { result, .. })) = self.op(call) else {
            return None;
        };
        let node = result?;
        // Exceptions are everybody's.
        let goes_out = node == EXCEPTIONS || self.returned == Some(node);
        if self.failed || goes_out || self.parameters().contains(node) {
            return None;
        }
        let mut calls = Vec::new();
        for (id, op) in self.ops().filter(|(id, op)| *id != call && op.names(node)) {
            match op {
                Op::Call(other) if other.result != Some(node) => calls.push(id),
                _ => return None,
            }
        }
        Some(calls)
    }

    /// Whether just one parameter is in the node, and no other value.
    pub fn is_just_given(&self, node: Node) -> bool {
        let given = self.parameters().filter(|p| *p == Some(node)).count();
        let is_else = |(_, op): (OpId, Op<'_>)| match op {
            Op::New { node: other, .. } | Op::Lambda { node: other, .. } => other == node,
            Op::Load { to, .. } | Op::LoadElement { to, .. } | Op::LoadStatic { to, .. } => to == node,
            Op::Call(call) => call.result == Some(node),
            Op::Unknown { nodes, .. } => nodes.contains(node),
            Op::Store { .. } | Op::StoreElement { .. } | Op::StoreStatic { .. } | Op::Describe { .. } => {
                false
            }
        };
        given == 1 && node != EXCEPTIONS && !self.failed && !self.ops().any(is_else)
    }

    /// The calls whose results are in the node; `None` if something else is, besides parameters.
    pub fn given_by(&self, node: Node) -> Option<Vec<OpId>> {
        if self.failed || node == EXCEPTIONS {
            return None;
        }
        let mut calls = Vec::new();
        for (id, op) in self.ops() {
            match op {
                Op::Call(found) if found.result == Some(node) => calls.push(id),
                // These only take it.
                Op::Call(_) | Op::Store { .. } | Op::StoreElement { .. } | Op::StoreStatic { .. } => {}
                Op::Lambda { node: made, .. } if made != node => {}
                op if op.names(node) => return None,
                _ => {}
            }
        }
        Some(calls)
    }

    /// By node: it may have values that no `new` of the method made.
    pub fn from_elsewhere(&self) -> Vec<bool> {
        let mut from_elsewhere = vec![false; self.nodes as usize];
        let mut comes = |node: Node| {
            if let Some(slot) = from_elsewhere.get_mut(node as usize) {
                *slot = true;
            }
        };
        comes(EXCEPTIONS);
        self.parameters().flatten().for_each(&mut comes);
        for (_, op) in self.ops() {
            match op {
                Op::Load { to, .. } | Op::LoadStatic { to, .. } | Op::LoadElement { to, .. } => comes(to),
                Op::Call(Call { result, .. }) => result.into_iter().for_each(&mut comes),
                Op::Lambda { node, .. } => comes(node),
                Op::Unknown { nodes, .. } => nodes.iter().for_each(&mut comes),
                Op::New { .. }
                | Op::Store { .. }
                | Op::StoreStatic { .. }
                | Op::StoreElement { .. }
                | Op::Describe { .. } => {}
            }
        }
        from_elsewhere
    }
}

impl Op<'_> {
    /// Whether it has to do with the node.
    fn names(&self, node: Node) -> bool {
        match *self {
            Op::New { node: made, .. } => made == node,
            Op::Lambda {
                node: made, captured, ..
            } => made == node || captured.contains(node),
            Op::Load { base, to: other, .. }
            | Op::LoadElement { base, to: other }
            | Op::Store {
                base, from: other, ..
            }
            | Op::StoreElement { base, from: other } => base == node || other == node,
            Op::LoadStatic { to: other, .. } | Op::StoreStatic { from: other, .. } => other == node,
            Op::Call(call) => call.arguments.contains(node) || call.result == Some(node),
            Op::Describe { nodes } | Op::Unknown { nodes, .. } => nodes.contains(node),
        }
    }
}
