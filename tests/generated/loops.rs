//! Loops over elements of arrays, in a forced interleaving: what they do is told of late and in pieces
//! (`racewire.rt.Footprint`), so that of several races on one element any pair may be named. But nothing else may be, and
//! no element that is raced on may go without.

use super::expected::{Pair, pair};
use super::random::Random;
use super::{parallel, seed};
use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::racewire::{findings, monitored, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const SCRIPTS: usize = 80;

/// How a loop goes.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// So far on each time.
    Step(i64),
    /// The same, and round again at the end.
    Round(i64),
}

#[derive(Debug, Clone, Copy)]
struct Loop {
    array: usize,
    first: usize,
    way: Way,
    times: usize,
    /// Both if it updates.
    reads: bool,
    writes: bool,
}

#[derive(Debug, Clone, Copy)]
enum Action {
    Start(usize),
    Run(Loop),
    Lock(usize),
    Unlock(usize),
    VolatileWrite(usize),
    VolatileRead(usize),
}

struct Script {
    name: String,
    arrays: usize,
    length: usize,
    threads: usize,
    run: Vec<(usize, Action)>,
}

impl Script {
    fn random(name: String, random: &mut Random) -> Script {
        let mut script = Script {
            name,
            arrays: random.range(1, 3),
            length: [3, 40, 64, 100, 700, 2_500][random.below(6)],
            threads: random.range(2, 4),
            run: Vec::new(),
        };
        script
            .run
            .extend((1..script.threads).map(|t| (0, Action::Start(t))));
        let mut holders = [None; 2];
        for _ in 0..random.range(6, 30) {
            let thread = random.below(script.threads);
            let which = random.below(2);
            let action = match random.below(100) {
                0..62 => Some(Action::Run(script.random_loop(random))),
                62..74 => holders[which].is_none().then(|| {
                    holders[which] = Some(thread);
                    Action::Lock(which)
                }),
                74..86 => (holders[which] == Some(thread)).then(|| {
                    holders[which] = None;
                    Action::Unlock(which)
                }),
                86..93 => Some(Action::VolatileWrite(which)),
                _ => Some(Action::VolatileRead(which)),
            };
            script.run.extend(action.map(|action| (thread, action)));
        }
        for (lock, holder) in holders.into_iter().enumerate() {
            script
                .run
                .extend(holder.map(|thread| (thread, Action::Unlock(lock))));
        }
        script
    }

    fn random_loop(&self, random: &mut Random) -> Loop {
        let (reads, writes) = [(true, false), (true, false), (false, true), (true, true)][random.below(4)];
        Loop {
            array: random.below(self.arrays),
            first: random.below(self.length),
            way: match random.percent(75) {
                true => Way::Step([1, 1, 1, 2, 2, 3, 4, 7, 32, 64, -1, -1, -2][random.below(13)]),
                false => Way::Round([13, 31, 7_919][random.below(3)]),
            },
            times: [1, 2, 5, 20, 100, 400][random.below(6)],
            reads,
            writes,
        }
    }

    fn elements(&self, l: &Loop) -> BTreeSet<usize> {
        let length = self.length as i64;
        let nth = |n: usize| match l.way {
            Way::Step(step) => l.first as i64 + n as i64 * step,
            Way::Round(step) => (l.first as i64 + n as i64 * step) % length,
        };
        let inside = (0..l.times).map(nth).take_while(|i| (0..length).contains(i));
        inside.map(|i| i as usize).collect()
    }

    /// The source, and the line of each action.
    fn java(&self) -> (String, Vec<u32>) {
        let (name, steps) = (&self.name, self.run.len());
        let (arrays, length) = (self.arrays, self.length);
        let mut lines: Vec<String> = vec![
            "package gen;".into(),
            "import baton.Baton;".into(),
            "import java.util.concurrent.locks.ReentrantLock;".into(),
            format!("public final class {name} implements Runnable {{"),
            "public static final Baton BATON = new Baton();".into(),
            format!("public static final int STEPS = {steps};"),
            format!("static final int[][] A = new int[{arrays}][{length}];"),
            "static final ReentrantLock L0 = new ReentrantLock(), L1 = new ReentrantLock();".into(),
            "static volatile int v0, v1;".into(),
            "private final int thread;".into(),
            format!("public {name}(int thread) {{ this.thread = thread; }}"),
            "public void run() { int x = 0; switch (thread) {".into(),
        ];
        let mut of_action = vec![0; steps];
        for thread in 0..self.threads {
            lines.push(format!("case {thread}:"));
            for (step, (by, action)) in self.run.iter().enumerate() {
                if *by == thread {
                    lines.push(format!("BATON.turn({step});"));
                    lines.push(self.statement(*action));
                    of_action[step] = lines.len() as u32;
                    lines.push("BATON.next();".into());
                }
            }
            lines.push("break;".into());
        }
        lines.push("} }".into());
        lines.push("}".into());
        (lines.join("\n") + "\n", of_action)
    }

    fn statement(&self, action: Action) -> String {
        let name = &self.name;
        match action {
            Action::Start(t) => {
                format!("BATON.adopt(new Thread(new {name}({t}), \"{name}-t{t}\")).start();")
            }
            Action::Run(l) => {
                let element = format!("A[{}][(int) i]", l.array);
                let body = match (l.reads, l.writes) {
                    (true, true) => format!("{element} += 2;"),
                    (false, true) => format!("{element} = x;"),
                    _ => format!("x += {element};"),
                };
                let (first, times, length) = (l.first, l.times, self.length);
                let index = match l.way {
                    Way::Step(step) => format!("{first} + n * {step}L"),
                    Way::Round(step) => format!("({first} + n * {step}L) % {length}"),
                };
                format!(
                    "for (int n = 0; n < {times}; n++) {{ long i = {index}; \
                     if (i < 0 || i >= {length}) break; {body} }}"
                )
            }
            Action::Lock(i) => format!("L{i}.lock();"),
            Action::Unlock(i) => format!("L{i}.unlock();"),
            Action::VolatileWrite(i) => format!("v{i} = 1;"),
            Action::VolatileRead(i) => format!("x += v{i};"),
        }
    }

    /// By array and element the pairs of lines that race.
    fn races(&self, lines: &[u32]) -> BTreeMap<(usize, usize), BTreeSet<Pair>> {
        let mut clocks: Vec<Vec<u32>> = (0..self.threads)
            .map(|t| (0..self.threads).map(|other| u32::from(other == t)).collect())
            .collect();
        let mut released: BTreeMap<(bool, usize), Vec<u32>> = BTreeMap::new();
        let mut done: Vec<(usize, u32, Loop, BTreeSet<usize>, u32)> = Vec::new();
        let mut races: BTreeMap<(usize, usize), BTreeSet<Pair>> = BTreeMap::new();
        let join = |into: &mut Vec<u32>, from: &[u32]| {
            into.resize(into.len().max(from.len()), 0);
            for (mine, other) in into.iter_mut().zip(from) {
                *mine = (*mine).max(*other);
            }
        };
        for ((thread, action), line) in self.run.iter().zip(lines) {
            let now = clocks[*thread].clone();
            match *action {
                Action::Run(l) => {
                    let elements = self.elements(&l);
                    for (other, time, earlier, theirs, at) in &done {
                        let conflicts = l.array == earlier.array && (l.writes || earlier.writes);
                        if other != thread && conflicts && now[*other] < *time {
                            for element in elements.intersection(theirs) {
                                let named = races.entry((l.array, *element)).or_default();
                                named.insert(pair(0, *at, *line));
                            }
                        }
                    }
                    done.push((*thread, now[*thread], l, elements, *line));
                }
                Action::Start(child) => join(&mut clocks[child], &now),
                Action::Unlock(i) => drop(released.insert((true, i), now)),
                Action::VolatileWrite(i) => join(released.entry((false, i)).or_default(), &now),
                Action::Lock(i) => join(&mut clocks[*thread], released.entry((true, i)).or_default()),
                Action::VolatileRead(i) => {
                    join(&mut clocks[*thread], released.entry((false, i)).or_default())
                }
            }
            if matches!(
                action,
                Action::Start(_) | Action::Unlock(_) | Action::VolatileWrite(_)
            ) {
                clocks[*thread][*thread] += 1;
            }
        }
        races
    }
}

#[test]
fn loops_over_arrays_race_at_exactly_the_elements_that_do() {
    let mut random = Random::new(seed());
    let scripts: Vec<Script> = (0..SCRIPTS)
        .map(|i| Script::random(format!("L{i}"), &mut random))
        .collect();
    let scratch = Scratch::new("loops");
    let mut files: Vec<PathBuf> = ["Baton", "Main"]
        .iter()
        .map(|name| tests_dir().join(format!("generated/baton/{name}.java")))
        .collect();
    let mut lines = Vec::new();
    for script in &scripts {
        let (text, of_actions) = script.java();
        let file = scratch.join(format!("{}.java", script.name));
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        files.push(file);
        lines.push(of_actions);
    }
    let racy = scripts.iter().zip(&lines).filter(|(s, l)| !s.races(l).is_empty());
    let share = racy.count() * 100 / SCRIPTS;
    assert!((30..=95).contains(&share), "races in {share} % of the scripts");
    let classes = scratch.folder("classes");
    Compile::new(files).compile_to(&classes);
    let woven = scratch.join("woven");
    let options = [
        "--quiet",
        "--monitor",
        "all",
        "--exclude",
        "baton.**",
        "--detector",
    ];
    weave(&classes, &woven, &[&options[..], &["happens_before"]].concat());
    let cases: Vec<&Jdk> = jdk::all().iter().collect();
    parallel::check_all(
        &cases,
        |jdk| format!("JDK {}, seed {}", jdk.version, seed()),
        |jdk| {
            let folder = scratch.join(format!("findings-{}", jdk.version));
            let java = Java::new(jdk)
                .args(monitored(&folder))
                .arg("-Dracewire.detector=happens_before")
                .class_path(&[&woven])
                .arg("baton.Main");
            let out = java.args(scripts.iter().map(|s| &s.name)).run();
            let findings = findings(&folder);
            let mut wrong = Vec::new();
            for (script, lines) in scripts.iter().zip(&lines) {
                let file = format!("{}.java", script.name);
                let mine = findings
                    .iter()
                    .filter(|f| f.accesses[0].file.as_deref() == Some(file.as_str()));
                let reported: BTreeSet<Pair> = mine
                    .map(|f| pair(0, f.accesses[0].line, f.accesses[1].line))
                    .collect();
                let races = script.races(lines);
                let allowed: BTreeSet<Pair> = races.values().flatten().copied().collect();
                let missed: Vec<_> = races
                    .iter()
                    .filter(|(_, pairs)| pairs.is_disjoint(&reported))
                    .collect();
                let wrongly: Vec<_> = reported.difference(&allowed).collect();
                if !missed.is_empty() || !wrongly.is_empty() {
                    wrong.push(format!(
                        "{file}: missed {:?}, wrongly {wrongly:?}",
                        missed.first()
                    ));
                }
            }
            let place = scratch.path().display();
            assert!(
                wrong.is_empty(),
                "sources in {place}\n{}\n{}",
                wrong.join("\n"),
                out.describe()
            );
        },
    );
}
