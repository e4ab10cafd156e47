//! Markers that the firmware writes to GPIOR0, and the regions between two of them:
//! docs/reference/link-firmware.md, "Markers".

use bancada_simavr::machine::Machine;
use serde_json::json;

use crate::node::Events;

/// GPIOR1 (I/O 0x2a), which says what the marker in GPIOR0 is about.
const SUBJECT: usize = 0x4a;
const REGION_BEGINS: u8 = 1;
const REGION_ENDS: u8 = 2;

#[derive(Default)]
pub struct Markers {
    /// The region that has begun, and after which cycle.
    begun: Option<(u8, u64)>,
}

impl Markers {
    /// A reset: what had begun does not end.
    pub fn forget(&mut self) {
        self.begun = None;
    }

    pub fn look(&mut self, machine: &Machine, now_ns: u64, events: &mut Events) {
        let Some(marker) = machine.take_marker() else {
            return;
        };
        // SAFETY: GPIOR1 lies inside the allocated data space.
        let subject = unsafe { *(*machine.raw()).data.add(SUBJECT) };
        match marker.value {
            REGION_BEGINS => self.begun = Some((subject, machine.cycle())),
            REGION_ENDS => {
                if let Some((region, begin)) = self.begun.take() {
                    let cycles = marker.cycle.saturating_sub(begin);
                    events.tell(now_ns, "region", json!({"region": region, "cycles": cycles}));
                }
            }
            value => events.tell(now_ns, "marker", json!({"value": value, "cycle": marker.cycle})),
        }
    }
}
