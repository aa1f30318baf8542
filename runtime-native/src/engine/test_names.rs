//! In which tests of the program findings were made.

use super::{Engine, PairKey};
use racewire_model::finding::Finding;

impl Engine {
    /// The tests in which the next findings are made.
    pub fn set_tests(&mut self, tests: Vec<String>) {
        self.tests = tests;
    }

    /// What was found in a test since it was last asked, a line each.
    pub fn take_findings(&mut self, test: &str) -> Vec<String> {
        self.found_in.remove(test).unwrap_or_default()
    }

    /// A finding belongs to the tests in which it was made first, also when it is written again.
    pub(super) fn attribute(&mut self, finding: &mut Finding, pair: PairKey) {
        if self.findings.contains_key(&pair) {
            finding.tests = self.tests_of.get(&pair).cloned().unwrap_or_default();
        } else if !self.tests.is_empty() {
            finding.tests.clone_from(&self.tests);
            self.tests_of.insert(pair, self.tests.clone());
            // A test does not fail for what the program's source excuses.
            let excused = self.annotated.covering(finding).is_some();
            for test in self.tests.iter().filter(|_| !excused) {
                let found = self.found_in.entry(test.clone()).or_default();
                found.push(finding.message.replace('\n', " "));
            }
        }
    }
}
