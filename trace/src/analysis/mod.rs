//! What the detectors find in a trace.

mod by_core;
mod findings;

use crate::record::{Process, Record};
use crate::tables::Tables;
use by_core::ByCore;
use findings::Findings;
use racewire_detectors::event::Event;
use racewire_detectors::happens_before::HappensBefore;
use racewire_detectors::hybrid::Hybrid;
use racewire_detectors::stale::Stale;
use racewire_detectors::{Detector, EpochsExhausted};
use racewire_detectors::{lock_order, views};
use racewire_model::finding::Finding;

/// The detectors that a trace can be given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DetectorName {
    Hybrid,
    HappensBefore,
    Racer,
    Eraser,
    LockOrder,
    Views,
    Stale,
}

impl DetectorName {
    pub const ALL: [DetectorName; 7] = [
        DetectorName::Hybrid,
        DetectorName::HappensBefore,
        DetectorName::Racer,
        DetectorName::Eraser,
        DetectorName::LockOrder,
        DetectorName::Views,
        DetectorName::Stale,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DetectorName::Hybrid => "hybrid",
            DetectorName::HappensBefore => "happens_before",
            DetectorName::Racer => "racer",
            DetectorName::Eraser => "eraser",
            DetectorName::LockOrder => "lock_order",
            DetectorName::Views => "views",
            DetectorName::Stale => "stale",
        }
    }
}

impl Process {
    /// Whether what the detector looks at was recorded.
    pub fn serves(&self, detector: DetectorName) -> bool {
        use DetectorName::{Eraser, HappensBefore, Hybrid, LockOrder, Racer, Stale, Views};
        let recorded: Vec<&str> = self.detectors.split(',').collect();
        let any = |names: &[DetectorName]| names.iter().any(|name| recorded.contains(&name.name()));
        self.detectors.is_empty()
            || match detector {
                Hybrid | HappensBefore | Views => any(&[Hybrid, HappensBefore]),
                Racer => any(&[Racer]),
                Eraser => any(&[Eraser]),
                LockOrder => any(&[LockOrder]),
                Stale => any(&[Stale]),
            }
    }
}

enum Machine {
    Hybrid(Hybrid),
    HappensBefore(HappensBefore),
    Core(Box<ByCore>),
    LockOrder(lock_order::FromEvents),
    Views(views::FromEvents),
    Stale(Stale),
}

/// One or more detectors over one trace.
pub struct Analysis {
    tables: Tables,
    machines: Vec<(Machine, Findings)>,
    events: u64,
}

/// What one detector found.
pub struct Analysed {
    pub detector: DetectorName,
    pub findings: Vec<Finding>,
    /// Whole sentences without a full stop: what was left out.
    pub notes: Vec<String>,
}

impl Analysis {
    pub fn new(detectors: &[DetectorName]) -> Analysis {
        let with_findings = |&detector| (Machine::new(detector), Findings::new(detector));
        Analysis {
            tables: Tables::default(),
            machines: detectors.iter().map(with_findings).collect(),
            events: 0,
        }
    }

    pub fn record(&mut self, record: &Record) -> Result<(), EpochsExhausted> {
        let Record::Event(event) = record else {
            self.tables.record(record);
            return Ok(());
        };
        self.events += 1;
        for (machine, findings) in &mut self.machines {
            machine.event(&self.tables, findings, event)?;
        }
        Ok(())
    }

    pub fn process(&self) -> &Process {
        &self.tables.process
    }

    pub fn events(&self) -> u64 {
        self.events
    }

    /// In the order of the detectors given.
    pub fn finish(self) -> Vec<Analysed> {
        let (tables, machines) = (self.tables, self.machines.into_iter());
        machines
            .map(|(mut machine, mut findings)| {
                machine.finish(&tables, &mut findings);
                Analysed {
                    detector: findings.detector(),
                    findings: findings.into_findings(),
                    notes: machine.notes(),
                }
            })
            .collect()
    }
}

impl Machine {
    fn new(detector: DetectorName) -> Machine {
        match detector {
            DetectorName::Hybrid => Machine::Hybrid(Hybrid::default()),
            DetectorName::HappensBefore => Machine::HappensBefore(HappensBefore::default()),
            DetectorName::Racer => Machine::Core(Box::new(ByCore::new(Detector::Racer))),
            DetectorName::Eraser => Machine::Core(Box::new(ByCore::new(Detector::Eraser))),
            DetectorName::LockOrder => Machine::LockOrder(lock_order::FromEvents::default()),
            DetectorName::Views => Machine::Views(views::FromEvents::default()),
            DetectorName::Stale => Machine::Stale(Stale::default()),
        }
    }

    fn event(
        &mut self,
        tables: &Tables,
        findings: &mut Findings,
        event: &Event,
    ) -> Result<(), EpochsExhausted> {
        match self {
            Machine::Hybrid(hybrid) => {
                for pair in hybrid.event(event) {
                    findings.pair(tables, &pair, Vec::new());
                }
            }
            Machine::HappensBefore(exact) => {
                for pair in exact.event(event) {
                    findings.pair(tables, &pair, Vec::new());
                }
            }
            Machine::Core(core) => core.event(tables, findings, event)?,
            Machine::LockOrder(order) => {
                for cycle in order.event(event) {
                    findings.cycle(tables, &cycle);
                }
            }
            Machine::Views(views) => {
                for torn in views.event(event) {
                    findings.torn(tables, &torn);
                }
            }
            Machine::Stale(stale) => {
                if let Some(used) = stale.event(event) {
                    findings.stale(tables, &used);
                }
            }
        }
        Ok(())
    }

    /// The run is over.
    fn finish(&mut self, tables: &Tables, findings: &mut Findings) {
        let settled = match self {
            Machine::Hybrid(hybrid) => hybrid.finish(),
            Machine::HappensBefore(exact) => exact.finish(),
            Machine::Core(_) | Machine::LockOrder(_) | Machine::Views(_) | Machine::Stale(_) => Vec::new(),
        };
        for pair in settled {
            findings.pair(tables, &pair, Vec::new());
        }
    }

    fn notes(&self) -> Vec<String> {
        let (name, parts, missing) = match self {
            Machine::LockOrder(order) => {
                let cut = order.cut();
                let parts = [
                    (cut.acquisitions, "acquisitions were not kept"),
                    (cut.repetitions, "repeated acquisitions were not kept"),
                    (cut.searches, "searches for cycles were given up"),
                ];
                ("lock_order", parts, "cycles")
            }
            Machine::Views(views) => {
                let cut = views.cut();
                let parts = [
                    (cut.views, "views were not kept"),
                    (cut.moments, "moments of views were not kept"),
                    (cut.searches, "searches were given up"),
                ];
                ("views", parts, "high-level races")
            }
            _ => return Vec::new(),
        };
        let left_out = parts.iter().filter(|(count, _)| *count > 0);
        left_out
            .map(|(count, what)| format!("{name}: {count} {what}, {missing} may be missing"))
            .collect()
    }
}
