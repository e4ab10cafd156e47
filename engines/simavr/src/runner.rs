//! The main loop: runs the machine, obeys the markers, reports.
//!
//! Instruction by instruction up to `main` and inside regions, where everything is counted; in bursts
//! of many instructions elsewhere, where only the markers, the stack's limit and the program's end matter.

use std::io;

use crate::events::{Event, EventSink};
use crate::firmware::Firmware;
use crate::function::FunctionWatch;
use crate::instructions::{decode_all, Instruction, Kind, OPCODES};
use crate::machine::{Machine, Marker, State};
use crate::options::Options;
use crate::profile::Profile;
use crate::region::{Region, Step};
use crate::uart::Uart;

mod marker {
    pub const REGION_BEGINS: u8 = 0x01;
    pub const REGION_ENDS: u8 = 0x02;
    pub const READY: u8 = 0x10;
    pub const WAITING: u8 = 0x11;
    pub const HALT: u8 = 0x12;
}

/// `RJMP .-2`: an endless loop of one instruction.
const RJMP_SELF: u16 = 0xcfff;

/// Longest stretch between two looks at the host, as a part of a second of device time.
const EXCHANGES_PER_SECOND: u64 = 1000;

const INVALID_OPCODE: &str = "invalid opcode";
const OUTSIDE_FLASH: &str = "jump outside flash";
const STACK_OVERFLOW: &str = "stack overflow";
const CYCLE_LIMIT: &str = "cycle limit";
const REGION_IN_REGION: &str = "a region begins inside a region";
const END_WITHOUT_BEGIN: &str = "a region ends that did not begin";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Finished,
    Faulted,
}

/// Why the machine stands still for good.
enum Stop {
    Halt,
    EndOfInput,
    Fault { reason: &'static str, pc: u32 },
}

pub struct Runner<'a> {
    machine: Machine,
    uart: Uart,
    firmware: &'a Firmware,
    events: EventSink,
    instructions: Box<[Instruction; OPCODES]>,
    profile: Option<Profile>,
    max_cycles: u64,
    exchange_interval: u64,
    next_exchange: u64,
    seeks_main: bool,
    region: Option<Region>,
    regions: u64,
    function: Option<FunctionWatch>,
    /// The cycle at which the function that is watched was left.
    function_left: Option<u64>,
    resets_seen: u64,
}

impl<'a> Runner<'a> {
    pub fn new(
        machine: Machine,
        uart: Uart,
        firmware: &'a Firmware,
        events: EventSink,
        options: &Options,
    ) -> Result<Self, String> {
        let function = match &options.function {
            None => None,
            Some(calls) => {
                let address = firmware
                    .function_address(&calls.place)
                    .ok_or_else(|| format!("{} has no function '{}'", options.firmware.display(), calls.place))?;
                Some(FunctionWatch::new(address, calls.first_call, calls.calls))
            }
        };
        let mut runner = Runner {
            machine,
            uart,
            firmware,
            events,
            instructions: decode_all(),
            profile: options.profile.map(|mode| Profile::new(mode, firmware)),
            max_cycles: options.max_cycles.unwrap_or(u64::MAX),
            exchange_interval: (u64::from(options.frequency) / EXCHANGES_PER_SECOND).max(1),
            next_exchange: 0,
            seeks_main: false,
            region: None,
            regions: 0,
            function,
            function_left: None,
            resets_seen: 0,
        };
        runner.seeks_main = runner.can_seek_main();
        Ok(runner)
    }

    pub fn run(&mut self) -> io::Result<Outcome> {
        let stop = loop {
            let stop = if self.region.is_some() {
                self.run_region()
            } else if self.seeks_main {
                self.run_to_main()?
            } else if self.function.is_some() {
                self.run_to_function()?
            } else {
                self.run_burst()?
            };
            if let Some(stop) = stop {
                break stop;
            }
            if let Some(stop) = self.look_around()? {
                break stop;
            }
        };
        self.uart.flush()?;
        if let Some(profile) = &self.profile {
            self.events.send(&profile.event(self.firmware))?;
        }
        let cycle = self.machine.cycle();
        match stop {
            Stop::Halt => self.events.send(&Event::Halt { cycle })?,
            Stop::EndOfInput => self.events.send(&Event::EndOfInput { cycle })?,
            Stop::Fault { reason, pc } => {
                self.events.send(&Event::Fault {
                    reason,
                    pc,
                    symbol: self.firmware.function_name(pc),
                    cycle,
                })?;
                return Ok(Outcome::Faulted);
            }
        }
        Ok(Outcome::Finished)
    }

    /// What has to be seen to after every stretch of execution, however it was run.
    fn look_around(&mut self) -> io::Result<Option<Stop>> {
        self.machine.clear_signal();
        let pc = self.machine.pc();
        if self.machine.has_bad_opcode() {
            return Ok(Some(Stop::Fault {
                reason: INVALID_OPCODE,
                pc,
            }));
        }
        if let Some(pc) = self.machine.stack_overflow() {
            return Ok(Some(Stop::Fault {
                reason: STACK_OVERFLOW,
                pc,
            }));
        }
        if self.machine.resets() != self.resets_seen {
            self.resets_seen = self.machine.resets();
            self.region = None;
            self.end_of_region();
            if let Some(function) = &mut self.function {
                function.reset();
            }
            self.seeks_main = self.can_seek_main();
            self.events.send(&Event::Reset {
                cycle: self.machine.cycle(),
            })?;
        }
        if let Some(cycle) = self.function_left.take() {
            self.end_of_region();
            if let (Some(region), Some(function)) = (self.region.take(), &mut self.function) {
                self.events.send(&region.end_of_function(cycle))?;
                if function.measured() {
                    return Ok(Some(Stop::Halt));
                }
            }
        }
        if let Some(marker) = self.machine.take_marker() {
            if let Some(stop) = self.obey(marker)? {
                return Ok(Some(stop));
            }
        }
        if pc >= self.firmware.flash_end {
            return Ok(Some(Stop::Fault {
                reason: OUTSIDE_FLASH,
                pc,
            }));
        }
        self.uart.answer()?;
        if self.uart.is_starved() {
            return Ok(Some(Stop::EndOfInput));
        }
        match self.machine.state() {
            State::Running => {}
            State::Sleeping => {
                if self.machine.nothing_scheduled() && !self.uart.wait_while_asleep()? {
                    return Ok(Some(Stop::EndOfInput));
                }
            }
            State::Finished => return Ok(Some(Stop::Halt)),
            State::Crashed => {
                return Ok(Some(Stop::Fault {
                    reason: OUTSIDE_FLASH,
                    pc,
                }))
            }
        }
        if self.machine.cycle() >= self.max_cycles {
            return Ok(Some(Stop::Fault {
                reason: CYCLE_LIMIT,
                pc,
            }));
        }
        Ok(None)
    }

    fn obey(&mut self, marker: Marker) -> io::Result<Option<Stop>> {
        let fault = |reason| {
            Ok(Some(Stop::Fault {
                reason,
                pc: self.machine.pc(),
            }))
        };
        match marker.value {
            marker::REGION_BEGINS | marker::REGION_ENDS if self.function.is_some() => {}
            marker::REGION_BEGINS => {
                if self.region.is_some() {
                    return fault(REGION_IN_REGION);
                }
                self.region = Some(Region::begin(self.regions, self.machine.cycle(), self.machine.sp()));
                self.regions += 1;
            }
            marker::REGION_ENDS => match self.region.take() {
                Some(region) => {
                    self.end_of_region();
                    self.events.send(&region.end(marker.cycle))?;
                }
                None => return fault(END_WITHOUT_BEGIN),
            },
            marker::READY => self.events.send(&Event::Ready { cycle: marker.cycle })?,
            marker::WAITING => {
                let more_will_come = self.uart.wait_for_input()?;
                if !more_will_come {
                    return Ok(Some(Stop::EndOfInput));
                }
            }
            marker::HALT => return Ok(Some(Stop::Halt)),
            _ => {}
        }
        Ok(None)
    }

    /// Where `main` itself is watched, its call is looked for instead.
    fn can_seek_main(&self) -> bool {
        let watched = self.function.as_ref().map(FunctionWatch::address);
        self.firmware.main.is_some() && self.firmware.main != watched
    }

    fn end_of_region(&mut self) {
        if let Some(profile) = &mut self.profile {
            profile.end_of_region();
        }
    }

    /// Many instructions, uncounted.
    fn run_burst(&mut self) -> io::Result<Option<Stop>> {
        let now = self.machine.cycle();
        if now >= self.next_exchange {
            self.next_exchange = now + self.exchange_interval;
            self.uart.exchange()?;
            if self.has_ended() {
                return Ok(Some(Stop::Halt));
            }
        }
        let until = self.next_exchange.min(self.max_cycles);
        self.machine.run_burst(until.saturating_sub(now).max(1));
        Ok(None)
    }

    /// Instruction by instruction, uncounted, up to a call of the function that is watched.
    fn run_to_function(&mut self) -> io::Result<Option<Stop>> {
        let now = self.machine.cycle();
        if now >= self.next_exchange {
            self.next_exchange = now + self.exchange_interval;
            self.uart.exchange()?;
            if self.has_ended() {
                return Ok(Some(Stop::Halt));
            }
        }
        let until = self.next_exchange.min(self.max_cycles);
        let Some(mut function) = self.function.take() else {
            return Ok(None);
        };
        let stop = self.step_to_function(&mut function, until);
        self.function = Some(function);
        Ok(stop)
    }

    fn step_to_function(&mut self, function: &mut FunctionWatch, until: u64) -> Option<Stop> {
        self.machine.prepare_single_steps();
        loop {
            let pc = self.machine.pc();
            if let Some(fault) = self.unexecutable(pc) {
                return Some(fault);
            }
            let (cycle_before, sp_before) = (self.machine.cycle(), self.machine.sp());
            let instruction = self.instructions[self.machine.opcode_at(pc) as usize];
            self.machine.run_one_instruction();
            let step = Step {
                instruction,
                cycle_before,
                cycle_after: self.machine.cycle(),
                sp_before,
                sp_after: self.machine.sp(),
            };
            if let Some(region) = function.after(&step, self.machine.pc(), self.regions) {
                self.region = Some(region);
                self.regions += 1;
            }
            let signalled = self.machine.has_signal();
            if self.machine.settle_if_needed() || signalled || self.region.is_some() || step.cycle_after >= until {
                return None;
            }
        }
    }

    /// `cli` and an endless loop of one instruction, which is how avr-libc's `exit` ends: nothing can
    /// happen any more.
    fn has_ended(&self) -> bool {
        let pc = self.machine.pc();
        pc < self.firmware.flash_end
            && self.machine.opcode_at(pc) == RJMP_SELF
            && !self.machine.interrupts_enabled()
            && self.machine.nothing_scheduled()
    }

    fn run_to_main(&mut self) -> io::Result<Option<Stop>> {
        let pc = self.machine.pc();
        if Some(pc) == self.firmware.main {
            self.seeks_main = false;
            self.events.send(&Event::Main {
                cycle: self.machine.cycle(),
            })?;
            return Ok(None);
        }
        if let Some(fault) = self.unexecutable(pc) {
            return Ok(Some(fault));
        }
        self.machine.prepare_single_steps();
        self.machine.run_one_instruction();
        self.machine.settle_if_needed();
        Ok(None)
    }

    #[inline(always)]
    fn unexecutable(&self, pc: u32) -> Option<Stop> {
        if pc >= self.firmware.flash_end {
            return Some(Stop::Fault {
                reason: OUTSIDE_FLASH,
                pc,
            });
        }
        if self.instructions[self.machine.opcode_at(pc) as usize].kind == Kind::Invalid {
            return Some(Stop::Fault {
                reason: INVALID_OPCODE,
                pc,
            });
        }
        None
    }

    /// Instruction by instruction, everything counted, until something has to be looked at.
    fn run_region(&mut self) -> Option<Stop> {
        let mut region = self.region.take()?;
        let stop = match self.profile.take() {
            Some(mut profile) => {
                let stop = self.count_steps(&mut region, |step, pc, next| profile.count(step, pc, next));
                self.profile = Some(profile);
                stop
            }
            None => self.count_steps(&mut region, |_, _, _| {}),
        };
        self.region = Some(region);
        stop
    }

    #[inline(always)]
    fn count_steps(&mut self, region: &mut Region, mut also: impl FnMut(&Step, u32, u32)) -> Option<Stop> {
        self.machine.prepare_single_steps();
        let mut cycle_before = self.machine.cycle();
        let mut sp_before = self.machine.sp();
        loop {
            let pc = self.machine.pc();
            if let Some(fault) = self.unexecutable(pc) {
                return Some(fault);
            }
            let instruction = self.instructions[self.machine.opcode_at(pc) as usize];
            self.machine.run_one_instruction();
            let signalled = self.machine.has_signal();
            let at_marker = signalled && self.machine.pending_marker() == Some(marker::REGION_ENDS);
            if at_marker && self.function.is_none() {
                return None; // the marker's own instruction is not part of the region
            }
            let step = Step {
                instruction,
                cycle_before,
                cycle_after: self.machine.cycle(),
                sp_before,
                sp_after: self.machine.sp(),
            };
            region.count(&step);
            also(&step, pc, self.machine.pc());
            if self
                .function
                .as_ref()
                .is_some_and(|function| function.is_left_by(&step))
            {
                self.function_left = Some(step.cycle_after);
                self.machine.settle_if_needed();
                return None;
            }
            if self.machine.settle_if_needed() {
                region.reach(self.machine.sp());
                return None;
            }
            if signalled {
                return None;
            }
            if step.cycle_after >= self.max_cycles {
                return None;
            }
            cycle_before = step.cycle_after;
            sp_before = step.sp_after;
        }
    }
}
