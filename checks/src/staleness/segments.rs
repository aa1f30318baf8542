//! Start and join: in `main`, before the first other thread is started and after all have ended, nobody is there who could
//! change anything.

use crate::body::{BlockId, Instr, InstrId, Op, ValueId};
use crate::facts::flow::Flow;
use crate::facts::summary::View;

/// The stretches of a method in which no other thread runs.
pub struct Segments {
    /// By instruction: another thread may run when it is executed.
    crowded: Vec<bool>,
}

impl Segments {
    /// `None` if it is not `main`: nobody knows what its callers have started.
    pub fn new(view: &View<'_, '_>) -> Option<Segments> {
        if !view.program.main.contains(&view.method.id) {
            return None;
        }
        let body = view.method.body;
        let flow = Flow::new(body);
        let mut crowded = vec![false; body.instrs.len()];
        for (id, instr) in (0..).zip(&body.instrs) {
            if starts(view, instr) {
                spread(view, &flow, id, instr, &mut crowded);
            }
        }
        Some(Segments { crowded })
    }

    /// No other thread runs at both.
    pub fn is_alone(&self, one: InstrId, other: InstrId) -> bool {
        [one, other]
            .iter()
            .all(|id| self.crowded.get(*id as usize) == Some(&false))
    }
}

fn starts(view: &View<'_, '_>, instr: &Instr) -> bool {
    is_thread_call(view, instr, "start")
        || view.callees(instr).any(|callee| callee.starts)
        || hands_task(view, instr)
}

/// Gives something to code that runs it in another thread.
fn hands_task(view: &View<'_, '_>, instr: &Instr) -> bool {
    let models = view.program.models(view.method, instr);
    models.iter().any(|model| !model.tasks.is_empty())
}

pub fn is_thread_call(view: &View<'_, '_>, instr: &Instr, name: &str) -> bool {
    let called = view
        .program
        .called(view.method, instr)
        .filter(|called| &*called.name == name);
    called.is_some_and(|called| view.program.is_subclass(&called.owner, "java/lang/Thread"))
}

/// Marks what may be executed while the thread that `start` starts is running: until it is joined on every way.
fn spread(view: &View<'_, '_>, flow: &Flow, start: InstrId, at: &Instr, crowded: &mut [bool]) {
    let body = view.method.body;
    let thread = body.args(at).first().copied().unwrap_or(0);
    let joins: Vec<InstrId> = (0..)
        .zip(&body.instrs)
        .filter(|(_, instr)| is_thread_call(view, instr, "join") && is_same(view, thread, instr))
        .map(|(id, _)| id)
        .collect();
    // A loop that joins all threads ends them, whoever counts how many there are.
    let loops: Vec<BlockId> = joins
        .iter()
        .filter_map(|id| body.instr(*id))
        .flat_map(|join| {
            let heads = flow.depends_on(join.block).to_vec();
            heads.into_iter().filter(|head| *head <= join.block)
        })
        .filter(|head| *head > at.block)
        .collect();
    let mut seen = vec![false; body.blocks.len()];
    let mut waiting = vec![(at.block, start + 1)];
    while let Some((block, from)) = waiting.pop() {
        let Some(shape) = body.blocks.get(block as usize) else {
            continue;
        };
        let mut ended = loops.contains(&block);
        for id in from.max(shape.first)..shape.end {
            ended |= joins.contains(&id);
            if !ended && let Some(slot) = crowded.get_mut(id as usize) {
                *slot = true;
            }
        }
        if ended {
            continue;
        }
        for &to in shape.successors.iter().chain(&shape.handlers) {
            if let Some(seen) = seen.get_mut(to as usize)
                && !std::mem::replace(seen, true)
            {
                waiting.push((to, 0));
            }
        }
    }
}

/// The same thread, or an element of the same array.
fn is_same(view: &View<'_, '_>, thread: ValueId, join: &Instr) -> bool {
    let body = view.method.body;
    let joined = body.args(join).first().copied().unwrap_or(0);
    let array = |value: ValueId| {
        let made = body.made_by(value).filter(|made| made.op == Op::ArrayLoad)?;
        body.args(made).first().copied()
    };
    joined == thread || array(joined).is_some_and(|of| array(thread) == Some(of))
}
