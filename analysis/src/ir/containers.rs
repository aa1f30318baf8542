//! Calls of containers by the interfaces of the JDK. What is a `List` may be a view of another one, which threads may share
//! though the view is nobody else's: only those that the method itself makes are known to be none.

use crate::facts::{Call, EXCEPTIONS, MethodFacts, Node, Op, Owner};

/// Of the elements that are such calls, keeps those of objects that come from nothing but a `new` in the method.
pub fn keep_made_here(facts: &mut MethodFacts, by_interface: &[u32]) {
    if by_interface.is_empty() {
        return;
    }
    let comes = from_elsewhere(facts);
    let is_made_here = |node: Node| comes.get(node as usize) == Some(&false);
    let mut index = 0;
    let mut elements = std::mem::take(&mut facts.elements).into_vec();
    elements.retain(|element| {
        let is_call = by_interface.binary_search(&index).is_ok();
        index += 1;
        !is_call || element.owner == Owner::Kept || is_made_here(element.array)
    });
    facts.elements = elements.into();
}

/// By node: it may have values that no `new` of the method made.
fn from_elsewhere(facts: &MethodFacts) -> Vec<bool> {
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
    from_elsewhere
}
