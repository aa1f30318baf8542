//! Strongly connected components of the call graph, callees before callers (Tarjan's algorithm, without recursion).

use super::CallGraph;

/// For each vertex the number of its component; a component has a smaller number than those that call it.
#[derive(Debug, Default)]
pub struct Components {
    pub of: Vec<u32>,
    /// All vertices, component by component.
    vertices: Vec<u32>,
    /// Where each component ends.
    ends: Vec<u32>,
}

impl Components {
    pub fn find(calls: &CallGraph) -> Components {
        components(calls.vertices(), |v| calls.successors(v))
    }

    pub fn count(&self) -> usize {
        self.ends.len()
    }

    pub fn members(&self, component: usize) -> &[u32] {
        let start = component.checked_sub(1).and_then(|before| self.ends.get(before));
        let (start, end) = (start.copied().unwrap_or(0), self.ends.get(component).copied());
        let range = start as usize..end.unwrap_or(0) as usize;
        self.vertices.get(range).unwrap_or_default()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[u32]> {
        (0..self.count()).map(|component| self.members(component))
    }
}

const UNSEEN: u32 = u32::MAX;

fn components<'s>(vertices: usize, successors: impl Fn(u32) -> &'s [u32]) -> Components {
    let mut search = Search {
        index: vec![UNSEEN; vertices],
        low: vec![0; vertices],
        on_stack: vec![false; vertices],
        stack: Vec::new(),
        next: 0,
        found: Components {
            of: vec![UNSEEN; vertices],
            vertices: Vec::with_capacity(vertices),
            ends: Vec::with_capacity(vertices),
        },
    };
    let mut path: Vec<(u32, usize)> = Vec::new();
    for start in 0..vertices as u32 {
        if search.index[start as usize] != UNSEEN {
            continue;
        }
        search.enter(start);
        path.push((start, 0));
        while let Some((vertex, nth)) = path.last_mut() {
            let vertex = *vertex;
            match successors(vertex).get(*nth) {
                Some(&next) => {
                    *nth += 1;
                    if search.index[next as usize] == UNSEEN {
                        search.enter(next);
                        path.push((next, 0));
                    } else if search.on_stack[next as usize] {
                        let low = search.index[next as usize];
                        search.low[vertex as usize] = search.low[vertex as usize].min(low);
                    }
                }
                None => {
                    path.pop();
                    if let Some((caller, _)) = path.last() {
                        let low = search.low[vertex as usize];
                        search.low[*caller as usize] = search.low[*caller as usize].min(low);
                    }
                    search.leave(vertex);
                }
            }
        }
    }
    search.found
}

struct Search {
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<u32>,
    next: u32,
    found: Components,
}

impl Search {
    fn enter(&mut self, vertex: u32) {
        self.index[vertex as usize] = self.next;
        self.low[vertex as usize] = self.next;
        self.next += 1;
        self.stack.push(vertex);
        self.on_stack[vertex as usize] = true;
    }

    /// Closes the component that `vertex` is the first of.
    fn leave(&mut self, vertex: u32) {
        if self.low[vertex as usize] != self.index[vertex as usize] {
            return;
        }
        let number = self.found.count() as u32;
        while let Some(member) = self.stack.pop() {
            self.on_stack[member as usize] = false;
            self.found.of[member as usize] = number;
            self.found.vertices.push(member);
            if member == vertex {
                break;
            }
        }
        self.found.ends.push(self.found.vertices.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_first_and_circles_are_one() {
        let edges: [&[u32]; 5] = [&[1, 3], &[2], &[1], &[], &[0]];
        let found = components(5, |v| edges[v as usize]);
        assert_eq!(found.of[1], found.of[2]);
        assert!(found.of[1] < found.of[0] && found.of[3] < found.of[0] && found.of[0] < found.of[4]);
        assert_eq!(found.count(), 4);
        let circle = found.members(found.of[1] as usize);
        assert!(circle == [1, 2] || circle == [2, 1]);
        assert_eq!(found.iter().map(<[u32]>::len).sum::<usize>(), 5);
    }
}
