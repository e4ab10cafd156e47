//! A node whose firmware runs in simavr: a microcontroller with a module, clock, rain gauge and serial port.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use bancada_simavr::firmware::Firmware;
use bancada_simavr::machine::{Machine, ResetCause, State};
use bancada_simavr::random::Random;
use bancada_simavr::uart::Uart;
use serde_json::{json, Map, Value};

use crate::config::{self, Cause, UartEnd};
use crate::device::{connect_uart, create_image, randomise_ram, set_supply, shares_of_time};
use crate::ds3231::Ds3231;
use crate::e32::{Action, AuxRises, Carrier, Module};
use crate::eeprom::{Eeprom, Write, WRITE_NS};
use crate::marker::Markers;
use crate::node::{Events, Node};
use crate::node_time::NodeTime;
use crate::outside::{self, ns, ComingResets};
use crate::pins::{Held, ModuleWires, Pin};
use crate::report::{hex, Counts};
use crate::serial_line::{edges_of, LineReceiver, Received};
use crate::twi::ClockOnTwi;
use crate::watchdog::{self, Watchdog};

/// An Arduino UNO's fuses (low fuse 0xff): "16K CK" after power-down; after a reset 65 ms more. ATmega328P data sheet,
/// "Start-up Times for the Low Power Crystal Oscillator".
const START_UP_CYCLES: u64 = 16_384;
const RESET_DELAY_NS: u64 = 65_000_000;

pub struct FirmwareNode {
    name: String,
    machine: Machine,
    firmware: Firmware,
    time: NodeTime,
    random: Random,
    at_m: Option<[f64; 2]>,
    module: Module,
    wires: ModuleWires,
    aux: Held,
    from_module: Held,
    to_module: LineReceiver,
    /// Levels to come on the pin `from_module`.
    line_edges: VecDeque<(u64, bool)>,
    uart: Option<Uart>,
    uart_counts: (u64, u64),
    answered: bool,
    eeprom: Eeprom,
    eeprom_file: Option<File>,
    watchdog: Option<Watchdog>,
    clock: Option<ClockOnTwi>,
    square_wave: Option<Held>,
    square_wave_edge_ns: Option<u64>,
    rain: Option<Held>,
    rain_edges: VecDeque<(u64, bool)>,
    rain_pulses: u64,
    resets: Option<ComingResets>,
    resets_seen: u64,
    torn_writes: u64,
    /// Held in reset, or ended.
    still_cycles: u64,
    markers: Markers,
    dead: Option<&'static str>,
}

impl FirmwareNode {
    pub fn new(config: config::FirmwareNode, seed: u64, duration_s: f64, events: &mut Events) -> Result<Self, String> {
        let random = |purpose: &str| Random::for_purpose(seed, &format!("{} {purpose}", config.name));
        let firmware = Firmware::read(&config.elf)?;
        let mut machine = Machine::new(&config.mcu, config.frequency, &firmware)?;
        machine.stop_clocks_in_deep_sleep(START_UP_CYCLES);
        let watchdog = watchdog::let_prescaler_changes_count_at_once(&machine);
        set_supply(&machine, config.supply_mv);
        let start_ns = ns(config.start_s);
        let time = NodeTime::new(start_ns, config.frequency, config.clock_ppm);
        let pin = |name: &str| Pin::named(&machine, name).map_err(|why| format!("{}: {why}", config.name));
        let wires = ModuleWires::connect(&machine, &config.module).map_err(|why| format!("{}: {why}", config.name))?;
        let held = |name: &Option<String>| match name {
            Some(name) => pin(name).map(|pin| Some(Held { pin, level: true })),
            None => Ok(None),
        };
        let square_wave = held(&config.clock.as_ref().and_then(|clock| clock.square_wave.clone()))?;
        let rain = held(&config.rain.as_ref().map(|rain| rain.pin.clone()))?;
        let (rain_edges, rain_pulses) = match &config.rain {
            Some(rain) => outside::rain_edges(rain, duration_s, &mut random("rain")),
            None => Default::default(),
        };
        let resets = config.resets.as_ref();
        let resets = resets.map(|resets| ComingResets::new(resets, duration_s, random("resets")));
        let image = match config.eeprom.as_ref().and_then(|files| files.load.as_ref()) {
            Some(path) => Some(fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?),
            None => None,
        };
        let eeprom = Eeprom::connect(&machine, config.frequency, image)?;
        let save_path = config.eeprom.as_ref().and_then(|files| files.save.as_ref());
        let eeprom_file = save_path
            .map(|path| create_image(path, &eeprom.contents()))
            .transpose()?;
        let clock = match &config.clock {
            Some(clock) => {
                let ds3231 = Ds3231::new(
                    i64::from(clock.unix_s),
                    ns(clock.phase_s),
                    clock.drift_ppm,
                    clock.oscillator_stopped,
                    clock.temperature_c,
                );
                Some(ClockOnTwi::connect(&machine, ds3231, time)?)
            }
            None => None,
        };
        let uart = connect_uart(&machine, &config, events)?;
        let answered = matches!(config.uart, Some(UartEnd::Answered));
        let aux_rises = match config.module.aux_rises {
            config::AuxRises::AtEnd => AuxRises::AtEnd,
            config::AuxRises::AtBegin => AuxRises::AtBegin,
        };
        let mut node = FirmwareNode {
            module: Module::new(config.module.parameters.0, aux_rises, start_ns),
            aux: Held {
                pin: wires.aux,
                level: false,
            },
            from_module: Held {
                pin: wires.from_module,
                level: true,
            },
            random: random("supply"),
            eeprom_file,
            watchdog,
            at_m: config.at_m,
            name: config.name,
            firmware,
            time,
            wires,
            to_module: LineReceiver::new(),
            line_edges: VecDeque::new(),
            uart,
            uart_counts: (0, 0),
            answered,
            eeprom,
            clock,
            square_wave,
            square_wave_edge_ns: None,
            rain,
            rain_edges,
            rain_pulses,
            resets,
            resets_seen: 0,
            torn_writes: 0,
            still_cycles: 0,
            markers: Markers::default(),
            dead: None,
            machine,
        };
        node.drive_all_pins();
        node.machine.clear_signal();
        node.hold_in_reset();
        Ok(node)
    }

    fn now_ns(&self) -> u64 {
        self.time.ns_at(self.machine.cycle())
    }

    fn drive_all_pins(&mut self) {
        let outside = [
            Some(&mut self.aux),
            Some(&mut self.from_module),
            self.square_wave.as_mut(),
            self.rain.as_mut(),
        ];
        for held in outside.into_iter().flatten() {
            held.pin.drive(&mut self.machine, held.level);
        }
    }

    /// The start-up time after a reset.
    fn hold_in_reset(&mut self) {
        let begins_ns = self.now_ns() + RESET_DELAY_NS;
        let cycle = self.time.cycle_at(begins_ns) + START_UP_CYCLES;
        self.stand_still_until(cycle);
    }

    fn stand_still_until(&mut self, cycle: u64) {
        self.still_cycles += cycle.saturating_sub(self.machine.cycle());
        self.machine.stand_still_until(cycle);
    }

    fn eeprom_write_ends_ns(&self) -> Option<u64> {
        let own_cycle = self.eeprom.write_ends()?;
        Some(self.time.ns_at(self.machine.cycles_before_reset() + own_cycle))
    }

    fn next_reset_ns(&self) -> Option<u64> {
        self.resets.as_ref().and_then(ComingResets::next_ns)
    }

    fn next_ns(&self) -> Option<u64> {
        let events = [
            self.module.next_ns(),
            self.to_module.due_ns(self.module.line_format()),
            self.line_edges.front().map(|(time_ns, _)| *time_ns),
            self.eeprom_write_ends_ns(),
            self.square_wave_edge_ns,
            self.rain_edges.front().map(|(time_ns, _)| *time_ns),
            self.next_reset_ns(),
        ];
        events.into_iter().flatten().min()
    }

    /// Lets everything happen that is due at `time_ns`.
    fn happen(&mut self, time_ns: u64, events: &mut Events) {
        let due = |at_ns: Option<u64>| at_ns.is_some_and(|at_ns| at_ns <= time_ns);
        if due(self.to_module.due_ns(self.module.line_format())) {
            self.take_byte_to_module(time_ns, events);
        }
        if due(self.module.next_ns()) {
            let mut actions = Vec::new();
            self.module.advance(time_ns, &mut actions);
            self.act(time_ns, actions, events);
        }
        if due(self.line_edges.front().map(|edge| edge.0)) {
            if let Some((_, level)) = self.line_edges.pop_front() {
                self.from_module.set(&mut self.machine, level);
            }
        }
        if due(self.eeprom_write_ends_ns()) {
            self.eeprom.end_write();
        }
        if due(self.square_wave_edge_ns) {
            self.move_square_wave(time_ns);
        }
        if due(self.rain_edges.front().map(|edge| edge.0)) {
            if let (Some((_, closed)), Some(rain)) = (self.rain_edges.pop_front(), self.rain.as_mut()) {
                rain.set(&mut self.machine, !closed);
            }
        }
        if due(self.next_reset_ns()) {
            if let Some(cause) = self.resets.as_mut().and_then(ComingResets::take) {
                self.reset(time_ns, cause, events);
            }
        }
    }

    fn take_byte_to_module(&mut self, time_ns: u64, events: &mut Events) {
        let mut actions = Vec::new();
        match self.to_module.take(self.module.line_format()) {
            Some(Received::Byte(byte)) => self.module.receive_serial_byte(time_ns, byte, &mut actions),
            Some(Received::Garbled) => events.complain(time_ns, "the module received a garbled byte"),
            None => {}
        }
        self.act(time_ns, actions, events);
    }

    fn act(&mut self, time_ns: u64, actions: Vec<Action>, events: &mut Events) {
        for action in actions {
            match action {
                Action::Aux(level) => self.aux.set(&mut self.machine, level),
                Action::SerialByte { byte, format } => self.line_edges.extend(edges_of(byte, format, time_ns)),
                Action::Transmit { packet, end_ns } => events.begin_transmission(time_ns, end_ns, packet),
                Action::AbortTransmission => events.aborted_ns.push(time_ns),
                Action::Complaint(what) => events.complain(time_ns, what),
            }
        }
    }

    fn move_square_wave(&mut self, time_ns: u64) {
        let (Some(clock), Some(wave)) = (&self.clock, &mut self.square_wave) else {
            return;
        };
        let level = clock.clock().square_wave(time_ns);
        self.square_wave_edge_ns = clock.clock().next_edge_ns(time_ns);
        wave.set(&mut self.machine, level);
    }

    fn reset(&mut self, time_ns: u64, cause: Cause, events: &mut Events) {
        let supply_fails = cause != Cause::External;
        let own_cycles = self.machine.cycle() - self.machine.cycles_before_reset();
        self.machine.reset(match cause {
            Cause::External => ResetCause::External,
            Cause::BrownOut => ResetCause::BrownOut,
            Cause::PowerLoss => ResetCause::PowerOn,
        });
        if cause == Cause::PowerLoss {
            randomise_ram(&self.machine, &mut self.random);
        }
        let name = match cause {
            Cause::External => "external",
            Cause::BrownOut => "brown-out",
            Cause::PowerLoss => "power-loss",
        };
        events.tell(time_ns, "reset", json!({"cause": name}));
        self.after_reset(time_ns, own_cycles, supply_fails, events);
        if supply_fails {
            let mut actions = Vec::new();
            self.module.power_cycle(time_ns, &mut actions);
            self.line_edges.clear();
            self.to_module = LineReceiver::new();
            self.from_module.level = true;
            self.act(time_ns, actions, events);
        }
        self.look_at_outputs(time_ns);
        self.drive_all_pins();
        self.hold_in_reset();
    }

    fn after_reset(&mut self, time_ns: u64, own_cycles: u64, supply_failed: bool, events: &mut Events) {
        self.resets_seen = self.machine.resets();
        self.markers.forget();
        if let Some(watchdog) = &self.watchdog {
            watchdog.note_reset();
        }
        if let Some(torn) = self.eeprom.reset(own_cycles, supply_failed, &mut self.random) {
            self.torn_writes += 1;
            self.store(time_ns, torn, events);
            let fields = json!({"address": torn.address, "value": torn.value});
            events.tell(time_ns, "eeprom-torn", fields);
        }
        if let Some(clock) = &self.clock {
            clock.note_reset(self.machine.cycles_before_reset());
        }
        for pin in self.wires.outputs() {
            pin.restore_after_reset(None);
        }
        let outside = [
            Some(&self.aux),
            Some(&self.from_module),
            self.square_wave.as_ref(),
            self.rain.as_ref(),
        ];
        for held in outside.into_iter().flatten() {
            held.pin.restore_after_reset(Some(held.level));
        }
    }

    /// What the device puts on the module's pins.
    fn look_at_outputs(&mut self, now_ns: u64) {
        self.module
            .set_mode_pins(now_ns, self.wires.m0.driven_level(), self.wires.m1.driven_level());
        self.to_module.edge(now_ns, self.wires.to_module.driven_level());
    }

    fn run_machine(&mut self, until_ns: u64, events: &mut Events) {
        let until_cycle = self.time.cycle_at(until_ns).max(self.machine.cycle() + 1);
        if self.dead.is_some() || self.machine.state() == State::Finished {
            self.stand_still_until(until_cycle);
            return;
        }
        let cycles_before_reset = self.machine.cycles_before_reset();
        self.machine.run_until(until_cycle);
        self.machine.clear_signal();
        let now_ns = self.now_ns();
        if self.machine.resets() != self.resets_seen {
            // The watchdog: a write to EEPROM goes on, and so does the module.
            events.tell(now_ns, "reset", json!({"cause": "watchdog"}));
            let own_cycles = self.machine.cycles_before_reset() - cycles_before_reset;
            self.after_reset(now_ns, own_cycles, false, events);
            self.hold_in_reset();
        }
        self.look_at_outputs(now_ns);
        self.look_at_square_wave(now_ns);
        self.look_at_eeprom(now_ns, events);
        self.markers.look(&self.machine, now_ns, events);
        self.look_for_faults(now_ns, events);
    }

    /// The firmware may have set the clock or its control register.
    fn look_at_square_wave(&mut self, now_ns: u64) {
        if let (Some(clock), Some(_)) = (&self.clock, &self.square_wave) {
            let next_ns = clock.clock().next_edge_ns(now_ns);
            let stale = match (self.square_wave_edge_ns, next_ns) {
                (Some(known_ns), Some(next_ns)) => known_ns > next_ns,
                (known, next) => known.is_some() != next.is_some(),
            };
            if stale {
                self.square_wave_edge_ns = next_ns;
            }
        }
    }

    fn look_at_eeprom(&mut self, now_ns: u64, events: &mut Events) {
        for write in self.eeprom.take_writes() {
            self.store(now_ns, write, events);
            if let Some(resets) = &mut self.resets {
                resets.note_write(now_ns, WRITE_NS);
            }
            let fields = json!({"address": write.address, "before": write.before, "value": write.value});
            events.tell(now_ns, "eeprom-write", fields);
        }
        if let Some(what) = self.eeprom.take_complaint() {
            events.complain(now_ns, what);
        }
    }

    /// At once, so that the file is right however the simulation ends.
    fn store(&self, now_ns: u64, write: Write, events: &mut Events) {
        if let Some(file) = &self.eeprom_file {
            if let Err(error) = file.write_at(&[write.value], u64::from(write.address)) {
                events.complain(now_ns, &format!("the EEPROM image cannot be written: {error}"));
            }
        }
    }

    fn look_for_faults(&mut self, now_ns: u64, events: &mut Events) {
        let pc = self.machine.pc();
        let reason = if self.machine.has_bad_opcode() {
            "invalid opcode"
        } else if self.machine.stack_overflow().is_some() {
            "stack overflow"
        } else if self.machine.state() == State::Crashed || pc >= self.firmware.flash_end {
            "jump outside flash"
        } else {
            return;
        };
        self.dead = Some(reason);
        let symbol = self.firmware.function_name(pc);
        events.tell(now_ns, "fault", json!({"reason": reason, "pc": pc, "symbol": symbol}));
    }

    fn pass_on_uart(&mut self, events: &mut Events) {
        let Some(uart) = &self.uart else {
            return;
        };
        let bytes = uart.take_output();
        if !bytes.is_empty() {
            events.tell(self.now_ns(), "uart", json!({"bytes": hex(&bytes)}));
            // A program that reads a real serial line too late, or never, loses bytes as well.
            let taken = uart.offer(&bytes).unwrap_or(0);
            self.uart_counts.0 += bytes.len() as u64;
            self.uart_counts.1 += (bytes.len() - taken) as u64;
        }
        // Nothing is waited for, and an input that has ended is not a fault.
        let _ = uart.exchange();
    }
}

impl Node for FirmwareNode {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_firmware(&self) -> bool {
        true
    }

    fn module(&self) -> &Module {
        &self.module
    }

    fn hear_carriers(&mut self, carriers: &[Carrier]) {
        self.module.hear_carriers(carriers);
    }

    fn at_m(&self) -> Option<[f64; 2]> {
        self.at_m
    }

    fn run(&mut self, until_ns: u64, events: &mut Events) {
        loop {
            let now_ns = self.now_ns();
            let next_ns = self.next_ns();
            match next_ns {
                Some(next_ns) if next_ns <= now_ns.min(until_ns) => self.happen(next_ns, events),
                _ if now_ns >= until_ns => break,
                _ => self.run_machine(next_ns.map_or(until_ns, |next_ns| next_ns.min(until_ns)), events),
            }
        }
        self.pass_on_uart(events);
    }

    fn receive(&mut self, now_ns: u64, bytes: &[u8], dbm: f64, events: &mut Events) {
        let mut actions = Vec::new();
        self.module.receive_packet(now_ns, bytes, dbm, &mut actions);
        self.act(now_ns, actions, events);
    }

    fn is_answered(&self) -> bool {
        self.answered
    }

    fn give(&mut self, bytes: &[u8]) {
        if let Some(uart) = &self.uart {
            uart.give(bytes);
            let _ = uart.exchange();
        }
    }

    fn is_dead(&self) -> bool {
        self.dead.is_some()
    }

    fn summarise(&mut self, counts: &mut Counts, summary: &mut Map<String, Value>) {
        let cycles = self.machine.cycle();
        summary.insert("shares".into(), shares_of_time(&self.machine, self.still_cycles));
        summary.insert("cycles".into(), json!(cycles));
        summary.insert("ended".into(), json!(self.machine.state() == State::Finished));
        summary.insert("fault".into(), json!(self.dead));
        counts.resets = self.machine.resets();
        counts.torn_writes = self.torn_writes;
        counts.eeprom_writes = self.eeprom.wear.iter().sum();
        counts.eeprom_writes_of_busiest_cell = self.eeprom.wear.iter().copied().max().unwrap_or(0);
        counts.rain_pulses = self.rain_pulses;
        (counts.uart_bytes, counts.uart_bytes_dropped) = self.uart_counts;
    }
}
