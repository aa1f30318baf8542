//! The sharing machine against its definition, driven as the Java runtime drives it: what Java decides by itself and
//! what it remembers must hide neither a place nor a second thread.

use racewire_detectors::*;
use std::collections::{BTreeSet, HashMap, HashSet};

const FIELDS: u32 = 2;
/// Of each field; 31 have a bit.
const SITES: u32 = 70;
const THREADS: u32 = 4;

/// As `Sites.access` and its caches do it.
struct Java {
    sharing: Sharing,
    words: HashMap<u32, Word>,
    steps: HashMap<(Word, EpochId, SiteId), Word>,
    /// By thread, word and the site's number in its field: as the runtime has it, without the field.
    settled: HashSet<(u32, Word, u32)>,
}

impl Java {
    fn new() -> Java {
        let mut sharing = Sharing::default();
        for _ in 0..FIELDS {
            let field = sharing.field();
            for number in 0..SITES {
                sharing.site(SiteInfo {
                    field,
                    kind: AccessKind::Read,
                    ordinal: number.min(31) as u8,
                });
            }
        }
        for _ in 0..THREADS {
            sharing.thread();
        }
        Java {
            sharing,
            words: HashMap::new(),
            steps: HashMap::new(),
            settled: HashSet::new(),
        }
    }

    fn access(&mut self, thread: u32, variable: u32, number: u32) {
        let epoch = self.sharing.epoch(ThreadId(thread)).unwrap();
        let site = site(variable, number);
        let word = self.words.get(&variable).copied().unwrap_or_default();
        let has_bit = number < 31;
        let after = match word.decode() {
            Decoded::Virgin if has_bit => Word::simple(epoch, 1 << number),
            Decoded::Simple { epoch: same, bits } if same == epoch && has_bit => {
                Word::simple(epoch, bits | 1 << number)
            }
            Decoded::Interned(_) if self.settled.contains(&(thread, word, number)) => word,
            _ => match self.steps.get(&(word, epoch, site)) {
                Some(&known) => known,
                None => {
                    let outcome = self.sharing.step(word, epoch, site).unwrap();
                    self.steps.insert((word, epoch, site), outcome.word);
                    if outcome.settled {
                        assert_eq!(outcome.word, word, "settled, but changed");
                        self.settled.insert((thread, word, number));
                    }
                    outcome.word
                }
            },
        };
        self.words.insert(variable, after);
    }

    fn log(&self) -> Vec<Touch> {
        (0..FIELDS * SITES)
            .map(|id| self.sharing.touch(SiteId(id)))
            .collect()
    }
}

fn site(variable: u32, number: u32) -> SiteId {
    SiteId(variable % FIELDS * SITES + number)
}

/// Thread, variable, number of the site.
type Access = (u32, u32, u32);

/// By the definition: an access to a variable of more threads than one is late from the moment on when the second one
/// comes, and common if not all that are late are by the same thread.
fn expected(trace: &[Access]) -> Vec<Touch> {
    let mut log = vec![Touch::Owned; (FIELDS * SITES) as usize];
    let threads = |accesses: &[Access]| accesses.iter().map(|a| a.0).collect::<BTreeSet<u32>>().len();
    for variable in trace.iter().map(|a| a.1).collect::<BTreeSet<u32>>() {
        let here: Vec<Access> = trace.iter().filter(|a| a.1 == variable).copied().collect();
        let late = (0..here.len()).find(|&at| threads(&here[..=at]) > 1);
        for (at, &(_, _, number)) in here.iter().enumerate() {
            let touch = match late {
                None => Touch::Owned,
                Some(late) if at < late => Touch::Early,
                Some(late) if threads(&here[late..]) == 1 => Touch::Late,
                Some(_) => Touch::Common,
            };
            let known = &mut log[site(variable, number).0 as usize];
            *known = touch.max(*known);
        }
    }
    log
}

#[test]
fn the_log_is_that_of_the_definition() {
    let mut random = 4711u32;
    let mut next = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) % below
    };
    let mut seen = BTreeSet::new();
    for round in 0..400 {
        let (variables, sites) = (1 + next(12), [3, 31, 33, SITES][next(4) as usize]);
        // Mostly a variable has its thread and may be handed over once, so that some stay owned or passed for long.
        let length = 1 + next(300);
        let moments: Vec<u32> = (0..variables).map(|_| next(2 * length)).collect();
        let trace: Vec<Access> = (0..length)
            .map(|at| {
                let variable = next(variables);
                let stranger = next(40) == 0;
                let thread = if stranger {
                    next(THREADS)
                } else {
                    (variable + u32::from(at >= moments[variable as usize])) % THREADS
                };
                (thread, variable, next(sites))
            })
            .collect();
        let mut java = Java::new();
        for &(thread, variable, number) in &trace {
            java.access(thread, variable, number);
        }
        let expected = expected(&trace);
        assert_eq!(java.log(), expected, "round {round}: {trace:?}");
        seen.extend(expected);
    }
    assert_eq!(
        seen.len(),
        4,
        "the traces have everything that there is to tell apart"
    );
}

#[test]
fn ten_thousand_objects_with_the_same_past_need_few_states() {
    let mut java = Java::new();
    for variable in 0..10_000 {
        for number in 0..SITES {
            java.access(variable % 2, variable * FIELDS, number);
        }
        if variable % 3 == 0 {
            java.access(2, variable * FIELDS, 0);
        }
        if variable % 9 == 0 {
            java.access(3, variable * FIELDS, 0);
        }
    }
    let owned = 2 * (SITES as usize - 31);
    // With and without the site that has become common, and common.
    let passed = 2;
    assert!(
        java.sharing.states() <= owned + passed + 1,
        "{} states",
        java.sharing.states()
    );
}

/// What is settled because of the log is so for one field, however much its variable is like that of another.
#[test]
fn what_is_known_of_a_site_says_nothing_of_another_fields() {
    let trace = [
        // Field 0 has its site 5 in the log; then both fields have a variable with the site 40 only.
        (0, 0, 5),
        (1, 0, 5),
        (2, 0, 5),
        (0, 2, 40),
        (0, 3, 40),
        (0, 2, 5),
        (0, 3, 5),
        (1, 3, 6),
        // The same with variables that have been passed on.
        (0, 4, 40),
        (0, 5, 40),
        (1, 4, 41),
        (1, 5, 41),
        (1, 4, 5),
        (1, 5, 5),
        (0, 5, 6),
    ];
    for to in 0..trace.len() {
        let mut java = Java::new();
        for &(thread, variable, number) in &trace[..=to] {
            java.access(thread, variable, number);
        }
        assert_eq!(java.log(), expected(&trace[..=to]), "{:?}", trace[to]);
    }
}

#[test]
fn what_the_machine_did_not_make_changes_nothing() {
    let mut java = Java::new();
    let word = Word::interned(StateId(77));
    for (word, site) in [(word, SiteId(0)), (Word::VIRGIN, SiteId(FIELDS * SITES))] {
        let outcome = java.sharing.step(word, EpochId(1), site).unwrap();
        assert_eq!((outcome.word, outcome.settled), (word, false));
    }
    assert_eq!(
        java.sharing.touch(SiteId(FIELDS * SITES)),
        Touch::Owned,
        "no such site"
    );
    assert!(java.sharing.epoch(ThreadId(u32::MAX)).is_err());
}
