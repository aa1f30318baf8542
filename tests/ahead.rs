//! What waits for other machines is begun before all else (tests run in the order of their names), beside the tests that
//! need none of it. Who needs it waits for the rest, or, where it failed, tries again and tells why.

use crate::corpus;
use crate::harness::integrations;
use crate::recipes;
use std::thread::spawn;

#[test]
fn what_is_fetched_is_asked_for_first() {
    spawn(corpus::all);
    spawn(|| {
        // One after the other: they share Maven's local repository, and most of what they fetch.
        integrations::gradle_plugin();
        integrations::distributions();
        recipes::containers();
    });
}
