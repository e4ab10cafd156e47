//! A sender without firmware, for many nodes: the module and the air are the same, the microcontroller is a timing
//! model of the sensor's. Its frames have a true header and noise after it.

use bancada_simavr::random::Random;

use crate::config;
use crate::e32::{Action, AuxRises, Carrier, Module};
use crate::node::{Events, Node};
use crate::outside::ns;

const HEADER: [u8; 2] = [0x10, 0x11];

pub struct NativeNode {
    config: config::NativeNode,
    module: Module,
    random: Random,
    /// When the frame after this one is due, by the node's own clock, in seconds since its start.
    due_s: f64,
    due_ns: u64,
    counter: u32,
    /// What is left of a frame on its way to the module, and when its next byte is whole.
    frame: std::vec::IntoIter<u8>,
    next_byte_ns: u64,
}

impl NativeNode {
    pub fn new(config: config::NativeNode, seed: u64) -> NativeNode {
        let mut random = Random::for_purpose(seed, &config.name);
        let start_ns = ns(config.start_s);
        let mut module = Module::new(config.module.0, AuxRises::AtEnd, start_ns);
        module.set_mode_pins(start_ns, false, false);
        let due_s = if config.jitter > 0.0 {
            random.unit() * config.period_s
        } else {
            config.first_s
        };
        let mut node = NativeNode {
            module,
            random,
            due_s,
            due_ns: 0,
            counter: 0,
            frame: Vec::new().into_iter(),
            next_byte_ns: u64::MAX,
            config,
        };
        node.due_ns = node.due_at_ns();
        node
    }

    /// A crystal that is fast has the frame due early.
    fn due_at_ns(&self) -> u64 {
        ns(self.config.start_s + self.due_s / (1.0 + self.config.drift_ppm * 1e-6) + self.config.lead_s)
    }

    fn byte_ns(&self) -> u64 {
        self.module.line_format().byte_ns()
    }

    fn begin_frame(&mut self, now_ns: u64) {
        let mut bytes = HEADER.to_vec();
        bytes.extend(self.config.device.to_be_bytes());
        bytes.extend(self.counter.to_be_bytes());
        while bytes.len() < self.config.frame_bytes {
            bytes.push(self.random.next_u64() as u8);
        }
        bytes.truncate(self.config.frame_bytes);
        self.counter += 1;
        self.frame = bytes.into_iter();
        self.next_byte_ns = now_ns + self.byte_ns();
        let jitter = self.config.jitter;
        let pause = if jitter > 0.0 {
            1.0 - jitter + 2.0 * jitter * self.random.unit()
        } else {
            1.0
        };
        self.due_s += pause * self.config.period_s;
        self.due_ns = self.due_at_ns();
    }

    fn take(&mut self, now_ns: u64, actions: Vec<Action>, events: &mut Events) {
        for action in actions {
            match action {
                Action::Transmit { packet, end_ns } => events.begin_transmission(now_ns, end_ns, packet),
                Action::Complaint(what) => events.complain(now_ns, what),
                Action::AbortTransmission | Action::Aux(_) | Action::SerialByte { .. } => {}
            }
        }
    }
}

impl Node for NativeNode {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn is_firmware(&self) -> bool {
        false
    }

    fn module(&self) -> &Module {
        &self.module
    }

    fn hear_carriers(&mut self, carriers: &[Carrier]) {
        self.module.hear_carriers(carriers);
    }

    fn at_m(&self) -> Option<[f64; 2]> {
        self.config.at_m
    }

    fn run(&mut self, until_ns: u64, events: &mut Events) {
        loop {
            let module_ns = self.module.next_ns().unwrap_or(u64::MAX);
            let next_ns = module_ns.min(self.next_byte_ns).min(self.due_ns);
            if next_ns > until_ns {
                return;
            }
            let mut actions = Vec::new();
            if module_ns == next_ns {
                self.module.advance(next_ns, &mut actions);
            } else if self.next_byte_ns == next_ns {
                match self.frame.next() {
                    Some(byte) => {
                        self.module.receive_serial_byte(next_ns, byte, &mut actions);
                        self.next_byte_ns = next_ns + self.byte_ns();
                    }
                    None => self.next_byte_ns = u64::MAX,
                }
            } else {
                // As the firmware, which waits for AUX.
                if !self.module.aux() {
                    self.due_ns = next_ns + 1_000_000;
                } else {
                    self.begin_frame(next_ns);
                }
            }
            self.take(next_ns, actions, events);
        }
    }

    fn receive(&mut self, now_ns: u64, bytes: &[u8], dbm: f64, events: &mut Events) {
        let mut actions = Vec::new();
        self.module.receive_packet(now_ns, bytes, dbm, &mut actions);
        self.take(now_ns, actions, events);
    }
}
