//! A plug-in whose detector gives up: for tests of who loads it.

use racewire_plugin::{Detector, Event, Findings, Tables};

racewire_plugin::export!(Failing);

#[derive(Default)]
struct Failing;

impl Detector for Failing {
    const NAME: &'static str = "failing";

    #[expect(clippy::panic, reason = "that is what it is for")]
    fn event(&mut self, event: &Event, _: &Tables, _: &mut Findings) {
        if matches!(event, Event::Access { .. }) {
            panic!("this detector cannot stand accesses");
        }
    }

    fn end(&mut self, _: &Tables, _: &mut Findings) {}
}
