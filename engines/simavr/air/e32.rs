//! The radio modules E32-TTL-100 (E32-433T20D) and E22 (E22-400T22D), as seen from their pins and from the air.
//!
//! The E22's commands, registers and modes are those of its manual. Its modulation is not documented: that of the E32 at
//! the same rate is assumed, and so is how it listens before it talks: it waits until it has heard nobody for a moment,
//! and after two seconds it sends all the same.
//!
//! Knows nothing of AVRs: bytes and levels go in, actions come out, and time is told to it in nanoseconds.
//! E32-433T20D user manual, sections 5 ("AUX"), 6 (operating modes) and 7 (commands).

use std::collections::VecDeque;

use crate::lora;
use crate::parameters::{Kind, LineFormat, Parameters};

const MS: u64 = 1_000_000;

/// "After modifying M1 or M0, it will start to work in new mode 1 ms later if the module is free": section 6.1.
const MODE_CHANGE_NS: u64 = MS;

/// From AUX's fall to the first byte of a received packet: section 6.2.
const RECEIVE_LEAD_NS: u64 = 5 * MS;

/// A packet is complete when the serial line has been silent for this many bytes' time: section 6.2.
const SILENT_BYTES: u64 = 3;
const BUFFER_BYTES: usize = 512;

/// AUX is low for these times after power-on and C4, and on the way out of sleep mode. The manual gives no figure:
/// assumed.
const SELF_CHECK_NS: u64 = 100 * MS;
const RESTART_NS: u64 = 20 * MS;
/// From a command's last byte to the answer's first. Assumed.
const ANSWER_NS: u64 = 2 * MS;

/// How long somebody must have been on the air to be noticed: two symbols at 2.4k (8 ms). Assumed.
const NOTICED_NS: u64 = 8 * MS;
/// After the air is free, up to eight of these, so that two that waited do not begin together. Assumed.
const BACKOFF_NS: u64 = 20 * MS;
const PATIENCE_NS: u64 = 2_000 * MS;

/// C3, module family 433 MHz, firmware version, features.
const VERSION_ANSWER: [u8; 4] = [0xc3, 0x32, 0x27, 0x02];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Normal,
    WakeUp,
    PowerSaving,
    Sleep,
}

impl Mode {
    /// The E22 takes commands in its mode 2, the E32 in its mode 3; neither hears anything then.
    pub fn of_pins(kind: Kind, m0: bool, m1: bool) -> Mode {
        match (m1, m0) {
            (false, false) => Mode::Normal,
            (false, true) => Mode::WakeUp,
            (true, false) if kind == Kind::E22 => Mode::Sleep,
            (true, false) => Mode::PowerSaving,
            (true, true) => Mode::Sleep,
        }
    }
}

/// What is on the air, and what a receiver must share with the sender to understand it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packet {
    pub bytes: Vec<u8>,
    pub kind: Kind,
    pub network: u8,
    pub address: u16,
    pub channel: u8,
    pub air_rate: u32,
    pub forward_error_correction: bool,
    pub power_dbm: i32,
    /// A long preamble is in front, which wakes receivers in power-saving mode.
    pub wakes: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Aux(bool),
    /// Onto the serial line, beginning now.
    SerialByte {
        byte: u8,
        format: LineFormat,
    },
    Transmit {
        packet: Packet,
        end_ns: u64,
    },
    /// The power failed in the middle of a transmission.
    AbortTransmission,
    /// Something that no correct firmware brings about.
    Complaint(&'static str),
}

/// Somebody else on the air.
#[derive(Clone, Copy)]
pub struct Carrier {
    pub channel: u8,
    pub begin_ns: u64,
    pub end_ns: u64,
}

/// When AUX rises after a transmission. The manual (section 6.2) says: when the last packet has *begun* to be sent.
/// Drivers and the published rates of senders that wait for AUX fit its *end*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuxRises {
    AtEnd,
    AtBegin,
}

pub struct Module {
    active: Parameters,
    saved: Parameters,
    aux_rises: AuxRises,
    mode: Mode,
    wanted: Mode,
    wanted_since_ns: u64,
    /// Self-check or restart until then.
    busy_until_ns: Option<u64>,
    /// From the serial line, to be sent.
    input: VecDeque<u8>,
    last_input_ns: u64,
    transmitting_until_ns: Option<u64>,
    /// To the serial line, and when its next byte begins.
    output: VecDeque<u8>,
    next_output_ns: Option<u64>,
    command: Vec<u8>,
    aux: bool,
    /// The receiver has been on, and the transmitter off, since then.
    listening_since_ns: Option<u64>,
    carriers: Vec<Carrier>,
    /// When it began to wait for the air to be free.
    waiting_since_ns: Option<u64>,
    waiting_until_ns: Option<u64>,
}

impl Module {
    /// Powered on at `now_ns`.
    pub fn new(saved: Parameters, aux_rises: AuxRises, now_ns: u64) -> Module {
        Module {
            active: saved,
            saved,
            aux_rises,
            mode: Mode::Sleep,
            wanted: Mode::Sleep,
            wanted_since_ns: now_ns,
            busy_until_ns: Some(now_ns + SELF_CHECK_NS),
            input: VecDeque::new(),
            last_input_ns: now_ns,
            transmitting_until_ns: None,
            output: VecDeque::new(),
            next_output_ns: None,
            command: Vec::new(),
            aux: false,
            listening_since_ns: None,
            carriers: Vec::new(),
            waiting_since_ns: None,
            waiting_until_ns: None,
        }
    }

    /// Who else is on the air.
    pub fn hear_carriers(&mut self, carriers: &[Carrier]) {
        self.carriers.clear();
        if self.active.listens_before_talking() {
            self.carriers.extend(carriers);
        }
    }

    /// When the air is free for this module, which would send at `at_ns`.
    fn free_at_ns(&self, at_ns: u64) -> u64 {
        let channel = self.active.channel();
        let heard = self.carriers.iter().filter(|carrier| {
            carrier.channel == channel && carrier.begin_ns + NOTICED_NS <= at_ns && at_ns < carrier.end_ns
        });
        let Some(last_ns) = heard.map(|carrier| carrier.end_ns).max() else {
            return at_ns;
        };
        // What is in the packet differs from module to module, and from frame to frame.
        let drawn = self.input.iter().fold(0x811c_9dc5u32, |hash, byte| {
            (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
        });
        let limit_ns = self.waiting_since_ns.unwrap_or(at_ns) + PATIENCE_NS;
        (last_ns + (1 + u64::from(drawn >> 29)) * BACKOFF_NS).min(limit_ns.max(at_ns))
    }

    pub fn aux(&self) -> bool {
        self.aux
    }

    /// How the module's serial line works at the moment.
    pub fn line_format(&self) -> LineFormat {
        match self.mode {
            Mode::Sleep => LineFormat::CONFIGURATION,
            _ => self.active.line_format(),
        }
    }

    pub fn power_cycle(&mut self, now_ns: u64, actions: &mut Vec<Action>) {
        if self.transmitting_until_ns.is_some() {
            actions.push(Action::AbortTransmission);
        }
        let aux_before = self.aux;
        *self = Module::new(self.saved, self.aux_rises, now_ns);
        self.aux = aux_before;
        self.settle(now_ns, actions);
    }

    pub fn set_mode_pins(&mut self, now_ns: u64, m0: bool, m1: bool) {
        let wanted = Mode::of_pins(self.active.kind, m0, m1);
        if wanted != self.wanted {
            self.wanted = wanted;
            self.wanted_since_ns = now_ns;
        }
    }

    /// A byte has come in on the serial line.
    pub fn receive_serial_byte(&mut self, now_ns: u64, byte: u8, actions: &mut Vec<Action>) {
        if self.busy_until_ns.is_some() {
            return actions.push(Action::Complaint("a byte sent to the module while it starts is lost"));
        }
        match self.mode {
            Mode::Sleep => self.receive_command_byte(now_ns, byte, actions),
            Mode::PowerSaving => {
                actions.push(Action::Complaint(
                    "a byte sent to the module in power-saving mode is lost",
                ));
            }
            Mode::Normal | Mode::WakeUp => {
                if self.input.len() == BUFFER_BYTES {
                    actions.push(Action::Complaint(
                        "the module's buffer of 512 bytes is full: a byte is lost",
                    ));
                } else {
                    self.input.push_back(byte);
                }
                self.last_input_ns = now_ns;
            }
        }
        self.settle(now_ns, actions);
    }

    /// Whether a packet that has just ended was understood: it has to have been heard from its beginning.
    pub fn hears(&self, packet: &Packet, begin_ns: u64) -> bool {
        let listened = self.listening_since_ns.is_some_and(|since_ns| since_ns <= begin_ns);
        let same_radio = packet.kind == self.active.kind
            && packet.network == self.active.network()
            && packet.channel == self.active.channel()
            && packet.air_rate == self.active.air_rate()
            && packet.forward_error_correction == self.active.forward_error_correction();
        let own = self.active.address();
        let broadcast = crate::parameters::BROADCAST;
        let for_us = packet.address == own || packet.address == broadcast || own == broadcast;
        listened && same_radio && for_us && (packet.wakes || self.mode != Mode::PowerSaving)
    }

    /// The packet's bytes at the end of its time on air, and how strongly it came.
    pub fn receive_packet(&mut self, now_ns: u64, bytes: &[u8], dbm: f64, actions: &mut Vec<Action>) {
        if self.output.len() + bytes.len() > BUFFER_BYTES {
            return actions.push(Action::Complaint(
                "the module's receive buffer is full: a packet is lost",
            ));
        }
        // What comes while the line still speaks follows without a gap.
        if self.next_output_ns.is_none() {
            self.next_output_ns = Some(now_ns + RECEIVE_LEAD_NS);
        }
        self.output.extend(bytes);
        if self.active.tells_signal() {
            // -(256 - byte) dBm.
            self.output.push_back((256.0 + dbm.round()).clamp(0.0, 255.0) as u8);
        }
        self.settle(now_ns, actions);
    }

    /// When the next event happens that no byte or pin causes.
    pub fn next_ns(&self) -> Option<u64> {
        let mode_change = (self.wanted != self.mode && self.is_free()).then_some(self.wanted_since_ns + MODE_CHANGE_NS);
        let send = (!self.input.is_empty() && self.transmitting_until_ns.is_none())
            .then(|| self.waiting_until_ns.unwrap_or_else(|| self.send_at_ns()));
        let command_ends = (!self.command.is_empty()).then(|| self.last_input_ns + self.silence_ns());
        let events = [
            self.busy_until_ns,
            self.transmitting_until_ns,
            self.next_output_ns,
            mode_change,
            send,
            command_ends,
        ];
        events.into_iter().flatten().min()
    }

    /// Lets happen what is due at `now_ns`, which is `next_ns`.
    pub fn advance(&mut self, now_ns: u64, actions: &mut Vec<Action>) {
        let is_due = |time_ns: Option<u64>| time_ns.is_some_and(|time_ns| time_ns <= now_ns);
        if is_due(self.busy_until_ns) {
            self.busy_until_ns = None;
        }
        if is_due(self.transmitting_until_ns) {
            self.transmitting_until_ns = None;
        }
        if is_due(self.next_output_ns) {
            self.next_output_ns = self.output.pop_front().map(|byte| {
                let format = self.line_format();
                actions.push(Action::SerialByte { byte, format });
                now_ns + format.byte_ns()
            });
        }
        if !self.command.is_empty() && self.last_input_ns + self.silence_ns() <= now_ns {
            self.command.clear();
            actions.push(Action::Complaint(
                "an incomplete or unknown command was sent to the module",
            ));
        }
        if !self.input.is_empty()
            && self.transmitting_until_ns.is_none()
            && self.send_at_ns() <= now_ns
            && self.waiting_until_ns.is_none_or(|until_ns| until_ns <= now_ns)
        {
            let free_ns = self.free_at_ns(now_ns);
            if free_ns > now_ns {
                self.waiting_since_ns.get_or_insert(now_ns);
                self.waiting_until_ns = Some(free_ns);
            } else {
                self.waiting_since_ns = None;
                self.waiting_until_ns = None;
                self.transmit(now_ns, actions);
            }
        }
        if self.wanted != self.mode && self.is_free() && self.wanted_since_ns + MODE_CHANGE_NS <= now_ns {
            if self.mode == Mode::Sleep {
                self.busy_until_ns = Some(now_ns + RESTART_NS);
            }
            self.mode = self.wanted;
            self.command.clear();
        }
        self.settle(now_ns, actions);
    }

    fn silence_ns(&self) -> u64 {
        SILENT_BYTES * self.line_format().byte_ns()
    }

    fn send_at_ns(&self) -> u64 {
        if self.input.len() >= self.active.packet_bytes() {
            self.last_input_ns
        } else {
            self.last_input_ns + self.silence_ns()
        }
    }

    fn is_free(&self) -> bool {
        self.busy_until_ns.is_none()
            && self.input.is_empty()
            && self.transmitting_until_ns.is_none()
            && self.next_output_ns.is_none()
    }

    fn transmit(&mut self, now_ns: u64, actions: &mut Vec<Action>) {
        let length = self.input.len().min(self.active.packet_bytes());
        let bytes: Vec<u8> = self.input.drain(..length).collect();
        let air_rate = self.active.air_rate();
        let Some(modulation) = lora::modulation(air_rate) else {
            return actions.push(Action::Complaint(
                "the module's modulation at this air rate is not documented: nothing is sent",
            ));
        };
        if self.active.is_fixed_transmission() {
            actions.push(Action::Complaint(
                "fixed transmission is not emulated: the packet goes out as transparent",
            ));
        }
        let wakes = self.mode == Mode::WakeUp;
        let preamble_ns = if wakes { self.active.wake_up_ns() } else { 0 };
        let end_ns = now_ns + preamble_ns + modulation.time_on_air_ns(lora::air_bytes(length));
        self.transmitting_until_ns = Some(end_ns);
        let packet = Packet {
            bytes,
            kind: self.active.kind,
            network: self.active.network(),
            address: self.active.address(),
            channel: self.active.channel(),
            air_rate,
            forward_error_correction: self.active.forward_error_correction(),
            power_dbm: self.active.power_dbm(),
            wakes,
        };
        actions.push(Action::Transmit { packet, end_ns });
    }

    fn receive_command_byte(&mut self, now_ns: u64, byte: u8, actions: &mut Vec<Action>) {
        self.command.push(byte);
        self.last_input_ns = now_ns;
        let answer = match self.command[..] {
            _ if self.active.kind == Kind::E22 => match self.e22_answer() {
                Some(answer) => answer,
                None => return,
            },
            [0xc1, 0xc1, 0xc1] => [&[0xc0], self.active.bytes()].concat(),
            [0xc3, 0xc3, 0xc3] => VERSION_ANSWER.to_vec(),
            [0xc4, 0xc4, 0xc4] => {
                let wanted = self.wanted;
                self.power_cycle(now_ns, actions);
                self.wanted = wanted;
                return;
            }
            [head @ (0xc0 | 0xc2), b0, b1, b2, b3, b4] => {
                self.active = Parameters::e32([b0, b1, b2, b3, b4]);
                if head == 0xc0 {
                    self.saved = self.active;
                }
                self.command.clone()
            }
            _ => return,
        };
        self.command.clear();
        self.output.extend(answer);
        self.next_output_ns.get_or_insert(now_ns + ANSWER_NS);
    }

    /// Reads and writes the registers, all at once: E22-400T22D user manual, section 7.1.
    fn e22_answer(&mut self) -> Option<Vec<u8>> {
        match self.command[..] {
            [0xc1, 0x00, 0x07] => {}
            [head @ (0xc0 | 0xc2), 0x00, 0x07, b0, b1, b2, b3, b4, b5, b6] => {
                self.active = Parameters::e22([b0, b1, b2, b3, b4, b5, b6]);
                if head == 0xc0 {
                    self.saved = self.active;
                }
            }
            _ => return None,
        }
        Some([&[0xc1, 0x00, 0x07], self.active.bytes()].concat())
    }

    /// What follows from the rest of the state: AUX, and whether the receiver is on.
    fn settle(&mut self, now_ns: u64, actions: &mut Vec<Action>) {
        let sending = match self.aux_rises {
            AuxRises::AtEnd => self.transmitting_until_ns.is_some(),
            AuxRises::AtBegin => false,
        };
        let aux = self.busy_until_ns.is_none() && self.input.is_empty() && !sending && self.next_output_ns.is_none();
        if aux != self.aux {
            self.aux = aux;
            actions.push(Action::Aux(aux));
        }
        let listens = self.busy_until_ns.is_none() && self.transmitting_until_ns.is_none() && self.mode != Mode::Sleep;
        if !listens {
            self.listening_since_ns = None;
        } else {
            self.listening_since_ns.get_or_insert(now_ns);
        }
    }
}
