//! Constructors that keep `this` to themselves: behind them, as before them, only the thread that makes the object has it.
//!
//! This is more than that they hand it to nobody ([`crate::leaks`]): a constructor may give `this` to the parts that it makes
//! (`new Cursor(this)`), to methods that look at it, and to helpers, if it comes back from all of them. The effect of the
//! constructor says so: `this` has not escaped, and nothing that it was given or gives back leads to it. All callbacks count as
//! leaky here: one that only describes its owner leads to the owner's own, which are those of any subclass.

use super::{Escape, Vertex, flag};
use crate::world::MethodId;
use racewire_classfile::access;

impl Escape<'_> {
    /// By method, from what is known bottom-up: whose `this` nobody else has when it ends, if nobody had it before.
    pub(super) fn find_kept(&mut self) {
        let world = self.world;
        let mut kept = vec![false; world.methods.len()];
        for method in 0..world.methods.len() as MethodId {
            let is_constructor = || world.is_constructor(world.method(method).selector);
            if self.reach.reached[method as usize] && is_constructor() {
                kept[method as usize] = self.keeps_this(method);
            }
        }
        self.kept = kept;
    }

    /// Whether the constructor keeps `this` to itself.
    pub fn keeps_own(&self, constructor: MethodId) -> bool {
        self.kept.get(constructor as usize).copied().unwrap_or(false)
    }

    fn keeps_this(&mut self, method: MethodId) -> bool {
        let vertex: Vertex = method;
        let is_static = self.world.method(method).access & access::STATIC != 0;
        let Some(this) = self
            .nodes
            .formals
            .nth(vertex, 0)
            .filter(|this| *this != 0 && !is_static)
        else {
            return false;
        };
        // What is made here has its callbacks with it; `this` may be of any subclass, with any callbacks.
        if self
            .nodes
            .graph
            .has(this, flag::ESCAPED | flag::CALLED | flag::HANDED | flag::TASK)
        {
            return false;
        }
        let this = self.nodes.graph.find(this);
        let others = (1..).map_while(|nth| self.nodes.formals.nth(vertex, nth));
        let others: Vec<_> = others.filter(|node| *node != 0).collect();
        !others
            .into_iter()
            .any(|other| self.reachable(other).contains(&this))
    }
}
