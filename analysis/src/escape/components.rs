//! Strongly connected components of the call graph, callees before callers (Tarjan's algorithm, without recursion).

/// For each vertex the number of its component; a component has a smaller number than those that call it.
#[derive(Debug)]
pub struct Components {
    pub of: Vec<u32>,
    /// The vertices of each component.
    pub members: Vec<Vec<u32>>,
}

const UNSEEN: u32 = u32::MAX;

pub fn components<'s>(vertices: usize, successors: impl Fn(u32) -> &'s [u32]) -> Components {
    let mut search = Search {
        index: vec![UNSEEN; vertices],
        low: vec![0; vertices],
        on_stack: vec![false; vertices],
        stack: Vec::new(),
        next: 0,
        found: Components {
            of: vec![UNSEEN; vertices],
            members: Vec::new(),
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
        let number = self.found.members.len() as u32;
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member as usize] = false;
            self.found.of[member as usize] = number;
            members.push(member);
            if member == vertex {
                break;
            }
        }
        self.found.members.push(members);
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
        assert_eq!(found.members.len(), 4);
    }
}
