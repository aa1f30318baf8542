//! Calls of containers by the interfaces of the JDK. What is a `List` may be a view of another one, which threads may share
//! though the view is nobody else's: only those that the method itself makes are known to be none.

use crate::facts::{Call, EXCEPTIONS, MethodFacts, Node, Op};

/// Of the elements from `first` on, keeps those of objects that come from nothing but a `new` in the method.
pub fn keep_made_here(facts: &mut MethodFacts, first: usize) {
    if facts.elements.len() == first {
        return;
    }
    let mut from_elsewhere = vec![false; facts.nodes as usize];
    let mut comes = |node: Node| {
        if let Some(slot) = from_elsewhere.get_mut(node as usize) {
            *slot = true;
        }
    };
    comes(EXCEPTIONS);
    facts.parameters.iter().flatten().copied().for_each(&mut comes);
    for op in &facts.ops {
        match op {
            Op::Load { to, .. } | Op::LoadStatic { to, .. } | Op::LoadElement { to, .. } => comes(*to),
            Op::Call(Call { result, .. }) => result.iter().copied().for_each(&mut comes),
            Op::Lambda { node, .. } => comes(*node),
            Op::Unknown { nodes, .. } => nodes.iter().copied().for_each(&mut comes),
            Op::New { .. }
            | Op::Store { .. }
            | Op::StoreStatic { .. }
            | Op::StoreElement { .. }
            | Op::Describe { .. } => {}
        }
    }
    let by_interface = facts.elements.split_off(first);
    let is_made_here = |node: Node| from_elsewhere.get(node as usize) == Some(&false);
    facts
        .elements
        .extend(by_interface.into_iter().filter(|call| is_made_here(call.array)));
}
