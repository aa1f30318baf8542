//! Which blocks lie on a cycle of the control flow: Tarjan's strongly connected components, without recursion.

use super::blocks::Blocks;

const UNSEEN: u32 = u32::MAX;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Cycles {
    /// The component of each block; meaningful where `in_cycle`.
    component: Vec<u32>,
    in_cycle: Vec<bool>,
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<u32>,
    /// Blocks on the current path, with the next edge to follow.
    path: Vec<(u32, u32)>,
}

fn at<T: Copy + Default>(values: &[T], index: u32) -> T {
    values.get(index as usize).copied().unwrap_or_default()
}

fn set<T>(values: &mut [T], index: u32, value: T) {
    if let Some(slot) = values.get_mut(index as usize) {
        *slot = value;
    }
}

impl Cycles {
    pub fn find(&mut self, blocks: &Blocks) {
        let count = blocks.count();
        self.in_cycle.clear();
        self.in_cycle.resize(count, false);
        // Without an edge to a block before, there is no cycle: most methods end here.
        if !blocks.has_back_edge() {
            return;
        }
        for values in [&mut self.component, &mut self.low] {
            values.clear();
            values.resize(count, 0);
        }
        self.index.clear();
        self.index.resize(count, UNSEEN);
        self.on_stack.clear();
        self.on_stack.resize(count, false);
        let (mut next_index, mut next_component) = (0, 0);
        for root in 0..count as u32 {
            if at(&self.index, root) == UNSEEN {
                self.search(root, blocks, &mut next_index, &mut next_component);
            }
        }
    }

    pub fn contains(&self, block: usize) -> bool {
        self.in_cycle.get(block).copied().unwrap_or(false)
    }

    pub fn same(&self, one: usize, other: usize) -> bool {
        self.contains(one) && self.contains(other) && self.component.get(one) == self.component.get(other)
    }

    fn enter(&mut self, block: u32, next_index: &mut u32) {
        set(&mut self.index, block, *next_index);
        set(&mut self.low, block, *next_index);
        *next_index += 1;
        set(&mut self.on_stack, block, true);
        self.stack.push(block);
        self.path.push((block, 0));
    }

    fn search(&mut self, root: u32, blocks: &Blocks, next_index: &mut u32, next_component: &mut u32) {
        self.enter(root, next_index);
        while let Some((block, edge)) = self.path.last_mut() {
            let block = *block;
            if let Some(to) = blocks.all_successors(block as usize).get(*edge as usize) {
                *edge += 1;
                if at(&self.index, *to) == UNSEEN {
                    self.enter(*to, next_index);
                } else if at(&self.on_stack, *to) {
                    let low = at(&self.low, block).min(at(&self.index, *to));
                    set(&mut self.low, block, low);
                }
                continue;
            }
            self.path.pop();
            let low = at(&self.low, block);
            if let Some((parent, _)) = self.path.last() {
                let parent_low = at(&self.low, *parent).min(low);
                set(&mut self.low, *parent, parent_low);
            }
            if low == at(&self.index, block) {
                self.close(block, blocks, *next_component);
                *next_component += 1;
            }
        }
    }

    /// Everything on the stack from `root` on is one component.
    fn close(&mut self, root: u32, blocks: &Blocks, component: u32) {
        let is_alone = self.stack.last() == Some(&root);
        while let Some(block) = self.stack.pop() {
            set(&mut self.on_stack, block, false);
            set(&mut self.component, block, component);
            let loops = !is_alone || blocks.all_successors(block as usize).contains(&block);
            set(&mut self.in_cycle, block, loops);
            if block == root {
                break;
            }
        }
    }
}
