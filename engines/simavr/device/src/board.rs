//! The device, its supply and its serial line.

use bancada_simavr::firmware::Firmware;
use bancada_simavr::machine::{Machine, ResetCause, State};
use bancada_simavr::random::Random;

use crate::flash::{Cut, Flash};
use crate::line::Line;

const MCU: &str = "atmega328p";
const FREQUENCY: u32 = 16_000_000;
const MCUSR: usize = 0x54;
/// Looks this often whether the program has begun.
const LONGEST_BURST: u64 = 4_000;

pub struct Board {
    machine: Machine,
    flash: Flash,
    line: Line,
    boot_address: u32,
    status: u8,
    in_program: bool,
}

impl Board {
    pub fn new(firmware: &Firmware, boot_address: u32) -> Result<Board, String> {
        let machine = Machine::new(MCU, FREQUENCY, firmware)?;
        // SAFETY: a machine that has not run; the fuse BOOTRST moves the reset vector.
        unsafe {
            let avr = machine.raw();
            (*avr).reset_pc = boot_address;
            (*avr).pc = boot_address;
        }
        let flash = Flash::connect(&machine, boot_address)?;
        let line = Line::connect(&machine)?;
        Ok(Board {
            machine,
            flash,
            line,
            boot_address,
            status: 0,
            in_program: false,
        })
    }

    /// After a power-on anything may be in RAM.
    pub fn power_on(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        // SAFETY: from the end of the registers to the end of the allocated data space.
        unsafe {
            let avr = self.machine.raw();
            for address in usize::from((*avr).ioend) + 1..=usize::from((*avr).ramend) {
                *(*avr).data.add(address) = random.next_u64() as u8;
            }
        }
        self.flash.power_on();
        self.reset(ResetCause::PowerOn);
    }

    pub fn reset(&mut self, cause: ResetCause) {
        self.machine.reset(cause);
        self.flash.reset();
        self.line.clear();
        self.in_program = false;
    }

    /// Until so many cycles have passed, the device has sent so many bytes or looked at its empty receiver so often,
    /// the supply has failed, or the program has begun.
    pub fn run(&mut self, cycles: u64, bytes: usize, polls: u64) {
        let end = self.machine.cycle() + cycles;
        while self.machine.cycle() < end && self.has_power() {
            if self.line.sent_bytes() >= bytes || self.line.polls() >= polls {
                return;
            }
            if !matches!(self.machine.state(), State::Running | State::Sleeping) {
                return;
            }
            let burst = self.machine.cycle() + LONGEST_BURST;
            let next = self.line.feed(&self.machine).unwrap_or(burst);
            if !self.in_program {
                // SAFETY: MCUSR lies inside the allocated data space.
                self.status = unsafe { *(*self.machine.raw()).data.add(MCUSR) };
            }
            let resets = self.machine.resets();
            self.machine.run_until(next.min(burst).min(end));
            self.machine.clear_signal();
            if self.machine.resets() != resets {
                self.flash.reset();
                self.in_program = false;
            }
            if !self.in_program && self.machine.pc() < self.boot_address {
                self.in_program = true;
                return;
            }
        }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.line.send(bytes);
    }

    pub fn cut(&mut self, operations: u64, how: Cut, seed: u64) {
        self.flash.cut(operations, how, seed);
    }

    pub fn read(&self, address: usize, length: usize) -> Result<Vec<u8>, String> {
        let end = self.checked_end(address, length)?;
        // SAFETY: the bounds were checked.
        Ok((address..end)
            .map(|at| unsafe { *(*self.machine.raw()).flash.add(at) })
            .collect())
    }

    pub fn write(&mut self, address: usize, bytes: &[u8]) -> Result<(), String> {
        self.checked_end(address, bytes.len())?;
        for (at, byte) in bytes.iter().enumerate() {
            // SAFETY: the bounds were checked.
            unsafe { *(*self.machine.raw()).flash.add(address + at) = *byte };
        }
        Ok(())
    }

    fn checked_end(&self, address: usize, length: usize) -> Result<usize, String> {
        // SAFETY: the machine stays allocated for the life of the program.
        let size = unsafe { (*self.machine.raw()).flashend } as usize + 1;
        match address.checked_add(length) {
            Some(end) if end <= size => Ok(end),
            _ => Err(format!("the flash has {size} bytes")),
        }
    }

    pub fn cycle(&self) -> u64 {
        self.machine.cycle()
    }

    pub fn take_sent(&mut self) -> Vec<u8> {
        self.line.take_sent()
    }

    pub fn is_in_program(&self) -> bool {
        self.in_program
    }

    pub fn has_power(&self) -> bool {
        self.flash.has_power()
    }

    /// Pages erased or written since the start.
    pub fn operations(&self) -> u64 {
        self.flash.operations()
    }

    pub fn resets(&self) -> u64 {
        self.machine.resets()
    }

    /// MCUSR before the program began: what it learns of why it starts.
    pub fn reset_status(&self) -> u8 {
        self.status
    }

    /// What no program may do.
    pub fn fault(&self) -> Option<String> {
        if self.machine.has_bad_opcode() {
            return Some("an instruction that does not exist".to_string());
        }
        if let Some(address) = self.machine.stack_overflow() {
            return Some(format!("the stack grew into data at {address:#x}"));
        }
        if self.machine.state() == State::Crashed {
            return Some("the device crashed".to_string());
        }
        self.flash.fault().map(str::to_string)
    }
}
