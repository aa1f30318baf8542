//! What the detectors find in a trace.

mod by_core;
mod findings;

use crate::record::Record;
use crate::tables::Tables;
use by_core::ByCore;
use findings::Findings;
use racewire_detectors::event::Event;
use racewire_detectors::happens_before::HappensBefore;
use racewire_detectors::hybrid::Hybrid;
use racewire_detectors::lock_order::{Cut, FromEvents};
use racewire_detectors::{Detector, EpochsExhausted};
use racewire_model::finding::Finding;

/// The detectors that a trace can be given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DetectorName {
    Hybrid,
    HappensBefore,
    Racer,
    Eraser,
    LockOrder,
}

impl DetectorName {
    pub const ALL: [DetectorName; 5] = [
        DetectorName::Hybrid,
        DetectorName::HappensBefore,
        DetectorName::Racer,
        DetectorName::Eraser,
        DetectorName::LockOrder,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DetectorName::Hybrid => "hybrid",
            DetectorName::HappensBefore => "happens_before",
            DetectorName::Racer => "racer",
            DetectorName::Eraser => "eraser",
            DetectorName::LockOrder => "lock_order",
        }
    }
}

enum Machine {
    Hybrid(Hybrid),
    HappensBefore(HappensBefore),
    Core(Box<ByCore>),
    LockOrder(FromEvents),
}

/// One detector over one trace.
pub struct Analysis {
    tables: Tables,
    machine: Machine,
    findings: Findings,
    events: u64,
}

/// What came out.
pub struct Analysed {
    pub process: crate::Process,
    pub detector: DetectorName,
    pub findings: Vec<Finding>,
    pub events: u64,
    /// Whole sentences without a full stop: what was left out.
    pub notes: Vec<String>,
}

impl Analysis {
    pub fn new(detector: DetectorName) -> Analysis {
        let machine = match detector {
            DetectorName::Hybrid => Machine::Hybrid(Hybrid::default()),
            DetectorName::HappensBefore => Machine::HappensBefore(HappensBefore::default()),
            DetectorName::Racer => Machine::Core(Box::new(ByCore::new(Detector::Racer))),
            DetectorName::Eraser => Machine::Core(Box::new(ByCore::new(Detector::Eraser))),
            DetectorName::LockOrder => Machine::LockOrder(FromEvents::default()),
        };
        Analysis {
            tables: Tables::default(),
            machine,
            findings: Findings::new(detector),
            events: 0,
        }
    }

    pub fn record(&mut self, record: &Record) -> Result<(), EpochsExhausted> {
        match record {
            Record::Event(event) => self.event(event),
            _ => {
                self.tables.record(record);
                Ok(())
            }
        }
    }

    fn event(&mut self, event: &Event) -> Result<(), EpochsExhausted> {
        self.events += 1;
        let (tables, findings) = (&self.tables, &mut self.findings);
        match &mut self.machine {
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
        }
        Ok(())
    }

    pub fn finish(self) -> Analysed {
        let cut = match &self.machine {
            Machine::LockOrder(order) => order.cut(),
            _ => Cut::default(),
        };
        let parts = [
            (cut.acquisitions, "acquisitions were not kept"),
            (cut.repetitions, "repeated acquisitions were not kept"),
            (cut.searches, "searches for cycles were given up"),
        ];
        let notes = parts.iter().filter(|(count, _)| *count > 0);
        Analysed {
            process: self.tables.process,
            detector: self.findings.detector(),
            findings: self.findings.into_findings(),
            events: self.events,
            notes: notes
                .map(|(count, what)| format!("lock_order: {count} {what}, cycles may be missing"))
                .collect(),
        }
    }
}
