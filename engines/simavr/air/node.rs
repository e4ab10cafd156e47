//! What the simulation asks of a node, and what nodes tell it.

use serde_json::{json, Value};

use crate::e32::{Carrier, Module, Packet};
use crate::report::Counts;

/// What a node did during a stretch of time. Times are exact, and may be a little after the stretch's end.
#[derive(Default)]
pub struct Events {
    pub begun: Vec<(u64, u64, Packet)>,
    pub aborted_ns: Vec<u64>,
    /// (time, name, fields): see docs/reference/link-simulation.md.
    pub told: Vec<(u64, &'static str, Value)>,
}

impl Events {
    pub fn begin_transmission(&mut self, now_ns: u64, end_ns: u64, packet: Packet) {
        self.begun.push((now_ns, end_ns, packet));
    }

    pub fn tell(&mut self, now_ns: u64, event: &'static str, fields: Value) {
        self.told.push((now_ns, event, fields));
    }

    pub fn complain(&mut self, now_ns: u64, what: &str) {
        self.tell(now_ns, "complaint", json!({"what": what}));
    }
}

pub trait Node {
    fn name(&self) -> &str;
    fn is_firmware(&self) -> bool;
    fn module(&self) -> &Module;

    /// Who else is on the air at the beginning of a stretch.
    fn hear_carriers(&mut self, carriers: &[Carrier]);

    /// Where it stands, in metres.
    fn at_m(&self) -> Option<[f64; 2]>;

    /// Lets the node's own time go on to `until_ns`.
    fn run(&mut self, until_ns: u64, events: &mut Events);

    /// The module has understood a packet that ended at `now_ns`.
    fn receive(&mut self, now_ns: u64, bytes: &[u8], dbm: f64, events: &mut Events);

    /// Whether whoever reads the events answers what the device sends (`UartEnd::Answered`).
    fn is_answered(&self) -> bool {
        false
    }

    /// Bytes for the device's UART.
    fn give(&mut self, _bytes: &[u8]) {}

    /// Whether the firmware has made a fault, or ended, so that the node stands still for good.
    fn is_dead(&self) -> bool {
        false
    }

    /// Adds what only the node knows to its part of the summary.
    fn summarise(&mut self, _counts: &mut Counts, _summary: &mut serde_json::Map<String, Value>) {}
}
