//! What the cases expect, on the lines of the accesses: `// expect race`, `// expect potential race`,
//! `// expect lock-order`. No other line may take part in a finding. What is known to go wrong is marked, too, so that the
//! list is complete and a mark that is no longer right is seen: `// missed race` (not reported), `// false race` (reported
//! where all accesses are monitored).

use racewire_model::finding::{Finding, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// File and line.
type Place = (String, u32);

#[derive(Default)]
pub struct Marks {
    expected: BTreeMap<Place, Kind>,
    /// For messages: the case that each line is part of, and the line.
    context: BTreeMap<Place, String>,
}

impl Marks {
    /// The marks of the given kinds. `all`: all accesses are monitored.
    pub fn read(files: &[PathBuf], kinds: &[Kind], all: bool) -> Marks {
        let mut marks = Marks::default();
        for path in files {
            let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let mut case = "";
            for (number, line) in (1..).zip(text.lines()) {
                let place = (file.clone().into_owned(), number);
                if let Some(name) = case_name(line) {
                    case = name;
                }
                if line.ends_with("// false race") && all && kinds.contains(&Kind::Race) {
                    marks.expected.insert(place.clone(), Kind::Race);
                }
                if let Some((_, mark)) = line.split_once("// expect ") {
                    let kind = match mark {
                        "race" => Kind::Race,
                        "potential race" => Kind::PotentialRace,
                        "lock-order" => Kind::LockOrder,
                        _ => panic!("{file}:{number}: what is to be expected? {mark}"),
                    };
                    if kinds.contains(&kind) {
                        marks.expected.insert(place.clone(), kind);
                    }
                }
                marks.context.insert(place, format!("{case}: {}", line.trim()));
            }
        }
        marks
    }

    /// What is reported but not expected, and the other way round; empty if all is well.
    pub fn differences(&self, findings: &[Finding]) -> Vec<String> {
        let mut reported: BTreeMap<Place, BTreeSet<String>> = BTreeMap::new();
        for finding in findings {
            for access in &finding.accesses {
                let file = access.file.clone().unwrap_or_default();
                // Lines that repeat an access are named by the access that stands for them.
                for line in access.repeated_at.iter().chain([&access.line]) {
                    let place = (file.clone(), *line);
                    if *line == access.line || self.expected.contains_key(&place) {
                        reported
                            .entry(place)
                            .or_default()
                            .insert(format!("{:?}", finding.kind));
                    }
                }
            }
        }
        let places: BTreeSet<&Place> = reported.keys().chain(self.expected.keys()).collect();
        places
            .into_iter()
            .filter_map(|place| {
                let found = reported.get(place).cloned().unwrap_or_default();
                let wanted: BTreeSet<String> = self
                    .expected
                    .get(place)
                    .map(|k| format!("{k:?}"))
                    .into_iter()
                    .collect();
                let context = self.context.get(place).map_or("", String::as_str);
                (found != wanted).then(|| {
                    format!(
                        "{}:{}: expected {wanted:?}, reported {found:?}: {context}",
                        place.0, place.1
                    )
                })
            })
            .collect()
    }
}

/// The name in `ordered("…", () -> {` and the like.
fn case_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let call = ["ordered(\"", "races(\"", "deadlocks(\"", "safe(\""];
    let rest = call.iter().find_map(|c| line.strip_prefix(c))?;
    rest.split('"').next()
}
