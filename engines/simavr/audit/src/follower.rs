//! The main loop: runs the machine until the first region begins, from then on instruction by instruction, and carries
//! taint through each. What depends on a secret is noted inside regions only, but taint is carried outside too:
//! firmware copies keys.

use std::io::{self, Write};

use bancada_simavr::firmware::Firmware;
use bancada_simavr::instructions::{decode_all, Effect, Instruction, Kind, OPCODES};
use bancada_simavr::machine::{Machine, State};
use bancada_simavr::region::{Region, Step};
use bancada_simavr::uart::Uart;
use serde::Serialize;

use crate::cpu::Cpu;
use crate::findings::{kind, Findings, Place, CALLERS};
use crate::taint::{Leak, Taint};

/// The markers of harness/include/bancada/device_avr.h.
mod marker {
    pub const REGION_BEGINS: u8 = 0x01;
    pub const REGION_ENDS: u8 = 0x02;
    pub const WAITING: u8 = 0x11;
    pub const HALT: u8 = 0x12;
}

/// Bytes of RAM that are secret whenever a region begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secret {
    pub address: u16,
    pub length: u16,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "fault")]
struct Fault<'a> {
    reason: &'a str,
    pc: u32,
    symbol: Option<&'a str>,
    cycle: u64,
}

pub enum Outcome {
    Finished,
    Faulted,
}

enum Stop {
    Finished,
    Fault(&'static str),
}

/// A call, or a jump from one function into another, which is how compilers call in the end of a function.
struct CallSite {
    pc: u32,
    sp_before: u16,
}

/// RJMP, and JMP.
fn is_jump(opcode: u16) -> bool {
    opcode >> 12 == 0xc || opcode & 0xfe0e == 0x940c
}

pub struct Follower<'a> {
    machine: Machine,
    uart: Uart,
    firmware: &'a Firmware,
    events: Box<dyn Write>,
    instructions: Box<[Instruction; OPCODES]>,
    secrets: Vec<Secret>,
    taint: Taint,
    is_following: bool,
    region: Option<Region>,
    regions: u64,
    findings: Findings,
    calls: Vec<CallSite>,
    exchange_interval: u64,
    next_exchange: u64,
}

impl<'a> Follower<'a> {
    /// `exchange_interval` is the longest stretch of cycles between two looks at the host.
    pub fn new(
        machine: Machine,
        uart: Uart,
        firmware: &'a Firmware,
        events: Box<dyn Write>,
        secrets: Vec<Secret>,
        exchange_interval: u64,
    ) -> Follower<'a> {
        // SAFETY: the machine is initialised and stays allocated for the life of the program.
        let return_address_bytes = u16::from(unsafe { (*machine.raw()).address_size });
        Follower {
            machine,
            uart,
            firmware,
            events,
            instructions: decode_all(),
            secrets,
            taint: Taint::new(return_address_bytes),
            is_following: false,
            region: None,
            regions: 0,
            findings: Findings::default(),
            calls: Vec::new(),
            exchange_interval,
            next_exchange: 0,
        }
    }

    fn send(&mut self, event: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.events.write_all(&line)?;
        self.events.flush()
    }

    pub fn run(&mut self) -> io::Result<Outcome> {
        let stop = loop {
            let now = self.machine.cycle();
            if now >= self.next_exchange {
                self.next_exchange = now + self.exchange_interval;
                self.uart.exchange()?;
            }
            let until = self.next_exchange;
            if self.is_following {
                if let Some(stop) = self.follow(until) {
                    break stop;
                }
            } else {
                self.machine.run_burst(until.saturating_sub(now).max(1));
            }
            if let Some(stop) = self.look_around()? {
                break stop;
            }
        };
        self.uart.flush()?;
        let Stop::Fault(reason) = stop else {
            return Ok(Outcome::Finished);
        };
        let (firmware, pc) = (self.firmware, self.machine.pc());
        self.send(&Fault {
            reason,
            pc,
            symbol: firmware.function_name(pc),
            cycle: self.machine.cycle(),
        })?;
        Ok(Outcome::Faulted)
    }

    /// Instruction by instruction, until something has to be looked at.
    fn follow(&mut self, until: u64) -> Option<Stop> {
        self.machine.prepare_single_steps();
        loop {
            let pc = self.machine.pc();
            if pc >= self.firmware.flash_end {
                return Some(Stop::Fault("jump outside flash"));
            }
            let opcode = self.machine.opcode_at(pc);
            let instruction = self.instructions[opcode as usize];
            if instruction.kind == Kind::Invalid {
                return Some(Stop::Fault("invalid opcode"));
            }
            if let Some(leak) = self.carry_taint(pc, opcode) {
                self.note(leak, pc, opcode);
            }
            let (cycle_before, sp_before) = (self.machine.cycle(), self.machine.sp());
            self.machine.run_one_instruction();
            let signalled = self.machine.has_signal();
            let step = Step {
                instruction,
                cycle_before,
                cycle_after: self.machine.cycle(),
                sp_before,
                sp_after: self.machine.sp(),
            };
            self.count(&step, pc, opcode);
            if self.machine.settle_if_needed() {
                self.taint.pushed(step.sp_after, self.machine.sp());
                return None;
            }
            if signalled || step.cycle_after >= until {
                return None;
            }
        }
    }

    #[inline(always)]
    fn carry_taint(&mut self, pc: u32, opcode: u16) -> Option<Leak> {
        let avr = self.machine.raw();
        // SAFETY: simavr allocates `data` up to and including ramend, and nothing runs while the slices live.
        let cpu = unsafe {
            Cpu {
                opcode,
                data: std::slice::from_raw_parts((*avr).data, usize::from((*avr).ramend) + 1),
                sreg: (*avr).sreg,
                second_word: self.machine.opcode_at(pc + 2),
            }
        };
        self.taint.step(&cpu)
    }

    #[cold]
    fn note(&mut self, leak: Leak, pc: u32, opcode: u16) {
        if self.region.is_none() {
            return;
        }
        let following = self.machine.opcode_at(pc + 2);
        let skipped = (self.instructions[following as usize], following);
        let callers = self.calls.iter().rev().take(CALLERS).map(|call| call.pc).collect();
        self.findings.add(Place {
            pc,
            kind: kind(leak, opcode, skipped),
            callers,
        });
    }

    #[inline(always)]
    fn count(&mut self, step: &Step, pc: u32, opcode: u16) {
        let Some(region) = &mut self.region else {
            return;
        };
        if self.machine.pending_marker() == Some(marker::REGION_ENDS) {
            return; // the marker's own instruction is not part of the region
        }
        region.count(step);
        self.findings.instructions += 1;
        match step.instruction.effect {
            Effect::Call => self.calls.push(CallSite {
                pc,
                sp_before: step.sp_before,
            }),
            Effect::Return => self.leave_calls(step.sp_after),
            _ if is_jump(opcode) => self.note_jump(pc, step.sp_after),
            _ => {}
        }
    }

    fn leave_calls(&mut self, sp: u16) {
        while self.calls.last().is_some_and(|call| call.sp_before <= sp) {
            self.calls.pop();
        }
    }

    fn note_jump(&mut self, pc: u32, sp: u16) {
        if self.firmware.function_index(pc) != self.firmware.function_index(self.machine.pc()) {
            self.leave_calls(sp); // of jumps one after the other, the last
            self.calls.push(CallSite { pc, sp_before: sp });
        }
    }

    /// What has to be seen to after every stretch of execution.
    fn look_around(&mut self) -> io::Result<Option<Stop>> {
        self.machine.clear_signal();
        if self.machine.has_bad_opcode() {
            return Ok(Some(Stop::Fault("invalid opcode")));
        }
        if self.machine.stack_overflow().is_some() {
            return Ok(Some(Stop::Fault("stack overflow")));
        }
        if let Some(marker) = self.machine.take_marker() {
            if let Some(stop) = self.obey(marker.value, marker.cycle)? {
                return Ok(Some(stop));
            }
        }
        self.uart.answer()?;
        if self.uart.is_starved() {
            return Ok(Some(Stop::Finished));
        }
        Ok(match self.machine.state() {
            State::Running => None,
            State::Sleeping if self.machine.nothing_scheduled() && !self.uart.wait_while_asleep()? => {
                Some(Stop::Finished)
            }
            State::Sleeping => None,
            State::Finished => Some(Stop::Finished),
            State::Crashed => Some(Stop::Fault("jump outside flash")),
        })
    }

    fn obey(&mut self, value: u8, cycle: u64) -> io::Result<Option<Stop>> {
        match value {
            marker::REGION_BEGINS => {
                for secret in &self.secrets {
                    self.taint.mark(secret.address, secret.length);
                }
                self.is_following = true;
                self.calls.clear();
                self.region = Some(Region::begin(self.regions, self.machine.cycle(), self.machine.sp()));
                self.regions += 1;
            }
            marker::REGION_ENDS => {
                if let Some(region) = self.region.take() {
                    self.send(&region.end(cycle))?;
                    let firmware = self.firmware;
                    let report = self.findings.report(firmware);
                    self.send(&report)?;
                }
            }
            marker::WAITING if !self.uart.wait_for_input()? => return Ok(Some(Stop::Finished)),
            marker::HALT => return Ok(Some(Stop::Finished)),
            _ => {}
        }
        Ok(None)
    }
}
