//! Racewire's own patching: class bytes in memory to woven class bytes in memory, on this thread, by the same
//! library calls as `racewire weave`.

use crate::Result;
use crate::stats::{self, Speed};
use racewire::archive::Archive;
use racewire::code::Class;
use racewire::plan::{self, Plan};
use racewire::program::{Program, ProgramClass};
use racewire::reading::class_name_of;
use racewire::scan;
use racewire::texts::Texts;
use racewire::weave::{self, Account, KnownModels, Unit};
use racewire_model::sites::EVERY_DETECTOR;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// The classes of a jar, inflated.
pub struct Classes {
    classes: Vec<Vec<u8>>,
    pub bytes: u64,
}

impl Classes {
    pub fn load(jar: &Path) -> Result<Classes> {
        let archive = Archive::open(jar)?;
        let mut classes = Vec::new();
        for entry in archive.classes() {
            if !class_name_of(&entry.name).ends_with("module-info") {
                classes.push(archive.read(entry)?.into_owned());
            }
        }
        let bytes = classes.iter().map(|class| class.len() as u64).sum();
        Ok(Classes { classes, bytes })
    }

    pub fn len(&self) -> usize {
        self.classes.len()
    }

    pub fn parse_only(&self) -> Result<usize> {
        let mut methods = 0;
        for bytes in &self.classes {
            methods += Class::parse(bytes)?.methods.len();
        }
        Ok(methods)
    }

    pub fn scan(&self) -> Result<Program> {
        let texts = Texts::default();
        let classes = self
            .classes
            .iter()
            .map(|bytes| {
                let facts = scan::scan(&Class::parse(bytes)?, &texts)?;
                let woven = plan::obstacle(&facts).is_none();
                Ok(ProgramClass {
                    facts,
                    in_scope: true,
                    woven,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Program::new(classes))
    }

    /// Weaves every class and hands it to `each`; `None` where nothing had to change.
    pub fn weave(
        &self,
        program: &Program,
        plan: &Plan<'_>,
        mut each: impl FnMut(Option<Vec<u8>>),
    ) -> Result<Account> {
        let mut account = Account::default();
        let known_models = KnownModels::default();
        let unit = Unit {
            numberings: &plan.numberings,
            valid_for: EVERY_DETECTOR,
            models: None,
            known_models: &known_models,
        };
        for ((bytes, class), class_plan) in self.classes.iter().zip(&program.classes).zip(&plan.classes) {
            if class.woven {
                let woven = weave::weave(bytes, &class.facts, class_plan, program, &unit)?;
                account.add(woven.account);
                each(woven.bytes);
            }
        }
        Ok(account)
    }
}

#[derive(Default)]
pub struct Passes {
    weave: Vec<Duration>,
    whole: Vec<Duration>,
    hooks: u64,
    woven_bytes: u64,
}

/// What a patcher did and how fast.
#[derive(Debug, Serialize)]
pub struct Patched {
    /// Bytes to bytes, with everything known about the program beforehand.
    pub weave: Speed,
    /// With the first look at all classes, which finds out what to weave.
    pub whole: Speed,
    /// Instructions that got hooks: field accesses, monitors, calls.
    pub hooks: u64,
    /// Size of all classes afterwards (Racewire's: of those that changed).
    pub woven_bytes: u64,
}

impl Passes {
    pub fn add(&mut self, classes: &Classes) -> Result<()> {
        let start = stats::cpu()?;
        let program = classes.scan()?;
        let plan = plan::plan(&program, None, false);
        let planned = stats::cpu()?;
        let mut woven_bytes = 0;
        let account = classes.weave(&program, &plan, |woven| {
            woven_bytes += woven.map_or(0, |w| w.len() as u64)
        })?;
        let end = stats::cpu()?;
        self.weave.push(end - planned);
        self.whole.push(end - start);
        self.hooks = account.accesses + account.monitors + account.calls;
        self.woven_bytes = woven_bytes;
        Ok(())
    }

    pub fn report(&self, class_bytes: u64) -> Patched {
        Patched {
            weave: Speed::of(&self.weave, class_bytes),
            whole: Speed::of(&self.whole, class_bytes),
            hooks: self.hooks,
            woven_bytes: self.woven_bytes,
        }
    }
}
