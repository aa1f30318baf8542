//! Trace files: what is written is read again, up to wherever the file ends.

use proptest::prelude::*;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Answer, Event, FlowStep, Mark, Part, Place, Variable};
use racewire_model::finding::EventKind;
use racewire_trace::{
    Definition, Ending, Field, Process, Record, Site, TraceError, TraceReader, TraceWriter,
};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[a-zé@$.]{1,12}",
        "[a-z]{1,5}@[0-9a-f]{1,9}",
        any::<String>()
    ]
}

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0..4u32, 0..300u32, any::<u32>()]
}

fn object() -> impl Strategy<Value = u64> {
    prop_oneof![0..4u64, 0..1000u64, any::<u64>()]
}

fn field() -> impl Strategy<Value = Option<Field>> {
    let field = (text(), text(), text(), any::<bool>(), number()).prop_map(
        |(class, name, kind, is_static, number)| Field {
            class,
            name,
            kind,
            is_static,
            number,
        },
    );
    prop::option::of(field)
}

fn site() -> impl Strategy<Value = Site> {
    let kind = prop_oneof![
        Just(EventKind::Read),
        Just(EventKind::Write),
        Just(EventKind::Lock),
        Just(EventKind::Call)
    ];
    let named = (any::<bool>(), number());
    let names = (text(), text(), text(), prop::option::of(text()));
    (
        kind,
        names,
        number(),
        field(),
        named,
        prop::collection::vec(number(), 0..3),
        (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
    )
        .prop_map(
            |(kind, (class, method, descriptor, file), line, field, (write, nth), repeated_at, mark)| Site {
                kind,
                mark: Mark {
                    update: mark.0,
                    exact: mark.1,
                    atomic: mark.2,
                    uses: mark.3,
                    ..Mark::default()
                },
                class,
                method,
                descriptor,
                file,
                line,
                field,
                named_by: (
                    if write {
                        AccessKind::Write
                    } else {
                        AccessKind::Read
                    },
                    nth,
                ),
                repeated_at,
            },
        )
}

/// Something to put into a trace; numbers of sites and stacks are brought into range when it is known what there is.
#[derive(Debug, Clone)]
enum Draft {
    Define(Definition),
    Event(u8, u32, u64, Place, u32),
}

fn draft() -> impl Strategy<Value = Draft> {
    let frames = prop::collection::vec(text(), 0..4);
    let stack_or_zero = number();
    prop_oneof![
        1 => site().prop_map(|s| Draft::Define(Definition::Site(s))),
        1 => frames.prop_map(|f| Draft::Define(Definition::Stack(f))),
        1 => text().prop_map(|t| Draft::Define(Definition::Flow(t))),
        1 => (object(), text()).prop_map(|(object, description)| {
            Draft::Define(Definition::Object { object, description })
        }),
        1 => (number(), text(), stack_or_zero).prop_map(|(thread, name, started_at)| {
            Draft::Define(Definition::Thread { thread, name, started_at })
        }),
        8 => (any::<u8>(), 0..5u32, object(), (number(), number()), number()).prop_map(
            |(what, thread, object, (site, stack), extra)| {
                Draft::Event(what, thread, object, Place { site, stack }, extra)
            }
        ),
    ]
}

fn trace() -> impl Strategy<Value = Vec<Record>> {
    let process = (
        any::<u64>(),
        any::<u64>(),
        text(),
        any::<u64>(),
        prop::collection::vec(text(), 0..3),
        text(),
    )
        .prop_map(|(pid, started_ms, java, unwoven, annotated, detectors)| Process {
            pid,
            started_ms,
            java,
            unwoven,
            annotated,
            detectors,
        });
    (process, prop::collection::vec(draft(), 0..40), any::<bool>()).prop_map(|(process, drafts, ended)| {
        let mut records = vec![Record::Process(process)];
        let mut sites: Vec<Site> = Vec::new();
        let mut stacks: Vec<Vec<String>> = Vec::new();
        let mut flows = 0;
        for draft in drafts {
            match draft {
                Draft::Define(mut definition) => {
                    match &mut definition {
                        Definition::Site(site) => sites.push(site.clone()),
                        // The writer keeps equal ones once.
                        Definition::Stack(frames) if stacks.contains(frames) => continue,
                        Definition::Stack(frames) => stacks.push(frames.clone()),
                        Definition::Thread { started_at, .. } => *started_at %= stacks.len() as u32 + 1,
                        Definition::Flow(_) => flows += 1,
                        Definition::Object { .. } => {}
                    }
                    records.push(Record::Define(definition));
                }
                Draft::Event(what, thread, object, at, extra) => {
                    let at = Place {
                        site: at.site % (sites.len() as u32 + 1),
                        stack: at.stack % (stacks.len() as u32 + 1),
                    };
                    let site = (at.site as usize).checked_sub(1).map(|s| &sites[s]);
                    let made = match what % 16 {
                        13 => flow_step(what / 16, object, (extra, at.stack), flows)
                            .map(|step| Event::Flow { thread, step }),
                        _ => event(what, thread, object, at, site, extra),
                    };
                    records.extend(made.map(Record::Event));
                }
            }
        }
        if ended {
            records.push(Record::End);
        }
        records
    })
}

/// Of flows that have been defined: so many.
fn flow_step(what: u8, variable: u64, (place, from): (u32, u32), flows: u32) -> Option<FlowStep> {
    let (place, from) = (1 + place.checked_rem(flows)?, 1 + from.checked_rem(flows)?);
    Some(match what % 5 {
        0 => FlowStep::Read { place, variable },
        1 => FlowStep::Write { place, variable },
        2 => FlowStep::Forget { flow: place },
        3 => FlowStep::Pass { flow: place, from },
        _ => FlowStep::Use { at: place, from },
    })
}

fn event(what: u8, thread: u32, object: u64, at: Place, site: Option<&Site>, extra: u32) -> Option<Event> {
    let (shared, tried) = (what & 32 != 0, what & 64 != 0);
    Some(match what % 16 {
        0 => Event::Fork { thread, child: extra },
        1 => Event::Begin { thread },
        2 => Event::End { thread },
        3 => Event::Join { thread, child: extra },
        4 => Event::Release { thread, object },
        5 => Event::Acquire { thread, object },
        6 => Event::Unlock {
            thread,
            object,
            shared,
        },
        7 => Event::Lock {
            thread,
            object,
            shared,
            tried,
            at,
        },
        8 => Event::Merge {
            thread,
            object,
            of: [u64::from(extra), u64::from(at.stack)],
        },
        9 => Event::Observe { thread },
        13 => Event::Flag {
            thread,
            kind: if shared {
                AccessKind::Read
            } else {
                AccessKind::Write
            },
            object,
        },
        11 => Event::Stamp {
            thread,
            lock: object,
            section: u64::from(extra),
        },
        12 => Event::Asked {
            thread,
            section: u64::from(extra),
            answer: Answer {
                asked: shared,
                valid: tried,
                writing: extra % 2 == 1,
                released: object,
            },
        },
        10 => Event::Nested {
            thread,
            object,
            shared,
            at,
        },
        _ => {
            let kind = match site?.kind {
                EventKind::Read => AccessKind::Read,
                EventKind::Write => AccessKind::Write,
                _ => return None,
            };
            let part = match (&site?.field, what % 3) {
                (Some(field), 0) => Part::Field(field.number),
                (_, 1) => Part::Element(extra),
                _ => Part::State,
            };
            Event::Access {
                thread,
                kind,
                variable: Variable { owner: object, part },
                at,
                mark: Mark {
                    passing: tried,
                    optimistic: shared && !tried,
                    frozen: !shared && !tried,
                    ..site?.mark
                },
            }
        }
    })
}

fn write(records: &[Record]) -> Vec<u8> {
    let Some(Record::Process(process)) = records.first() else {
        panic!("no process")
    };
    let mut writer = TraceWriter::new(Vec::new(), process).unwrap();
    for record in records {
        writer.record(record).unwrap();
    }
    writer.into_inner()
}

fn read(bytes: &[u8]) -> Result<(Vec<Record>, Ending), TraceError> {
    let mut reader = TraceReader::new(bytes)?;
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        records.push(record);
    }
    Ok((records, reader.ending().unwrap()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read(records in trace()) {
        let (found, ending) = read(&write(&records)).unwrap();
        let complete = records.last() == Some(&Record::End);
        prop_assert_eq!(found, records);
        prop_assert_eq!(ending, if complete { Ending::Complete } else { Ending::Cut { lost: 0 } });
    }

    #[test]
    fn a_file_cut_off_anywhere_gives_a_prefix_and_says_what_was_lost(records in trace()) {
        let bytes = write(&records);
        let mut longest = 0;
        for end in 8..bytes.len() {
            let (found, ending) = read(&bytes[..end]).unwrap();
            prop_assert_eq!(&found[..], &records[..found.len()]);
            prop_assert!(found.len() >= longest);
            longest = found.len();
            let Ending::Cut { lost } = ending else { panic!("complete though cut at {end}") };
            // Without what was lost the file ends between two records.
            let (again, ending) = read(&bytes[..end - lost as usize]).unwrap();
            prop_assert_eq!((again, ending), (found, Ending::Cut { lost: 0 }));
        }
    }

    #[test]
    fn damage_is_an_error_or_other_records_but_no_panic(records in trace(), at in any::<usize>(), value in any::<u8>()) {
        let mut bytes = write(&records);
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = read(&bytes);
    }

    #[test]
    fn noise_is_read_without_panic(noise in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&[racewire_trace::MAGIC.to_vec(), vec![racewire_trace::VERSION], noise].concat());
    }
}

#[test]
fn other_files_and_versions_are_told_apart() {
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "not a racewire trace");
    assert_eq!(error(b"T0|r(V1)|1\n"), "not a racewire trace");
    assert_eq!(error(b"RWTRACE"), "not a racewire trace");
    assert_eq!(
        error(b"RWTRACE\x01"),
        "a trace of version 1, this racewire reads version 5"
    );
    assert_eq!(
        error(b"RWTRACE\x05\x08\x00\x7f"),
        "damaged at byte 10: no such record"
    );
    assert_eq!(
        error(b"RWTRACE\x05\x11"),
        "damaged at byte 8: an event of no thread, or no record at all"
    );
}

/// An access costs a few bytes.
#[test]
fn events_are_small() {
    let mut writer = TraceWriter::new(Vec::new(), &Process::default()).unwrap();
    let site = Site {
        kind: EventKind::Write,
        mark: Mark::default(),
        class: "com.acme.Account".into(),
        method: "add".into(),
        descriptor: "(I)V".into(),
        file: Some("Account.java".into()),
        line: 7,
        field: Some(Field {
            class: "com.acme.Account".into(),
            name: "balance".into(),
            kind: "int".into(),
            is_static: false,
            number: 1,
        }),
        named_by: (AccessKind::Write, 0),
        repeated_at: vec![],
    };
    let site = writer.site(&site).unwrap();
    let before = writer.into_inner().len();
    let mut writer = TraceWriter::new(Vec::new(), &Process::default()).unwrap();
    for n in 0..1000u64 {
        let owner = 1_000_000_000 + n % 16;
        let event = Event::Access {
            thread: (n / 100) as u32,
            kind: AccessKind::Write,
            variable: Variable {
                owner,
                part: Part::Field(1),
            },
            at: Place { site, stack: 0 },
            mark: Mark::default(),
        };
        writer.event(&event).unwrap();
    }
    let bytes = writer.into_inner().len();
    assert!(before < 100 && bytes < 3200, "{before} and {bytes} bytes");
}
