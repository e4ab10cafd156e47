//! One simulated microcontroller: the only module, with `uart` and `watchdog`, that touches simavr.
//!
//! simavr runs many instructions in one call; `run_one_instruction` and `run_burst` decide how many.
//! Everything simavr reports from inside such a call (a marker, an opcode that does not exist, a stack
//! that grew into data) is noted in `Signals`, and the call is made to return after that instruction.

mod outside;

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::ptr;

use simavr_ffi as simavr;
use simavr_ffi::avr_t;

use crate::firmware::Firmware;

pub use outside::{ResetCause, SleepMode, SLEEP_MODES};

/// Data address of GPIOR0 (I/O 0x1e) on every ATmega that has it: ATmega328P and ATmega2560 data
/// sheets, "Register Summary".
const MARKER_REGISTER: u16 = 0x3e;
const SPL: usize = 0x5d;
const SPH: usize = 0x5e;

/// `OUT SPL, Rr` and `OUT SPH, Rr`, with the register masked out.
const OUT_SPL: u16 = 0xbe0d;
const OUT_SPH: u16 = 0xbe0e;
const OUT_REGISTER_MASK: u16 = 0xfe0f;

/// "If an interrupt occurs when the MCU is in sleep mode, the interrupt execution response time is
/// increased by four clock cycles": the same section of the data sheets.
const WAKE_CYCLES: u64 = 4;

/// AVR_IOCTL_DEF('e','e','s','p'): a macro, so the bindings lack it.
const IOCTL_EEPROM_SET: u32 = u32::from_be_bytes(*b"eesp");

extern "C" {
    /// Declared in sim_core.h, which the bindings leave out.
    fn avr_run_one(avr: *mut avr_t) -> u32;
    /// Every device that simavr knows, up to a null pointer: sim_core_decl.h, made when simavr is built.
    static avr_kind: [*const simavr::avr_kind_t; 0];
}

/// What happened inside simavr since the last look.
#[derive(Default)]
pub struct Signals {
    marker: Cell<Option<Marker>>,
    bad_opcode: Cell<bool>,
    /// Address of the instruction that took the stack pointer below the end of data or out of RAM.
    stack_overflow: Cell<Option<u32>>,
    /// Any of the above.
    any: Cell<bool>,
    /// Lowest value the stack pointer may have: below it a push overwrites `.data` or `.bss`.
    lowest_sp: Cell<u16>,
    /// Highest one, the end of RAM: a frame that is larger than what is below it wraps around to above it.
    highest_sp: Cell<u16>,
}

#[derive(Clone, Copy)]
pub struct Marker {
    pub value: u8,
    /// Cycles executed before the instruction that wrote the marker.
    pub cycle: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Running,
    Sleeping,
    /// Asleep with interrupts off: nothing can wake it.
    Finished,
    Crashed,
}

pub struct Machine {
    avr: *mut avr_t,
    signals: &'static Signals,
    flash: *const u8,
    data: *const u8,
    /// Cycles before the last reset: simavr starts again from 0.
    cycles_before_reset: u64,
    resets: u64,
    /// Sleep ends here at the latest, in simavr's count.
    latest_wake: u64,
    deep_sleep: Option<outside::DeepSleep>,
    /// Cycles asleep, by mode.
    slept: [u64; SLEEP_MODES],
}

impl Machine {
    pub fn new(mcu: &str, frequency: u32, firmware: &Firmware) -> Result<Machine, String> {
        let make = constructor(mcu).ok_or_else(|| format!("simavr does not know the microcontroller '{mcu}'"))?;
        // SAFETY: plain calls of simavr's constructors in the order its own run_avr.c uses.
        let avr = unsafe { make() };
        let signals: &'static Signals = Box::leak(Box::default());
        // SAFETY: `avr` is a fresh machine; the callbacks' parameter lives as long as the program.
        unsafe {
            (*avr).frequency = frequency;
            simavr::avr_init(avr);
            (*avr).frequency = frequency;
            // simavr puts its process number into the signature row: two runs would differ.
            (*avr).serial = [0; 9];
            load(avr, mcu, firmware)?;
            let parameter = signals as *const Signals as *mut c_void;
            simavr::avr_register_io_write(avr, MARKER_REGISTER, Some(on_marker), parameter);
            simavr::avr_register_io_write(avr, SPL as u16, Some(on_stack_pointer), parameter);
            simavr::avr_register_io_write(avr, SPH as u16, Some(on_stack_pointer), parameter);
            simavr::avr_irq_register_notify(
                simavr::avr_get_core_irq(avr, simavr::AVR_CORE_BAD_OPCODE as c_int),
                Some(on_bad_opcode),
                parameter,
            );
            let ram_start = (*avr).ioend + 1;
            let data_end = firmware.data_end.unwrap_or(ram_start).max(ram_start);
            signals.lowest_sp.set(data_end - 1);
            signals.highest_sp.set((*avr).ramend);
            Ok(Machine {
                flash: (*avr).flash,
                data: (*avr).data,
                avr,
                signals,
                cycles_before_reset: 0,
                resets: 0,
                latest_wake: u64::MAX,
                deep_sleep: None,
                slept: [0; SLEEP_MODES],
            })
        }
    }

    pub fn raw(&self) -> *mut avr_t {
        self.avr
    }

    #[inline(always)]
    pub fn cycle(&self) -> u64 {
        // SAFETY: `avr` stays allocated for the life of the program (here and below).
        self.cycles_before_reset + unsafe { (*self.avr).cycle }
    }

    #[inline(always)]
    pub fn pc(&self) -> u32 {
        unsafe { (*self.avr).pc }
    }

    #[inline(always)]
    pub fn sp(&self) -> u16 {
        // SAFETY: SPL and SPH lie next to each other in the allocated data space.
        u16::from_le(unsafe { ptr::read_unaligned(self.data.add(SPL) as *const u16) })
    }

    /// The opcode at a byte address of flash, which must be inside the flash.
    #[inline(always)]
    pub fn opcode_at(&self, address: u32) -> u16 {
        // SAFETY: the callers pass an address below the end of flash; simavr allocates 4 bytes more.
        u16::from_le(unsafe { ptr::read_unaligned(self.flash.add(address as usize) as *const u16) })
    }

    pub fn interrupts_enabled(&self) -> bool {
        unsafe { (*self.avr).sreg[simavr::S_I as usize] != 0 }
    }

    /// Nothing inside the machine (timer, watchdog, UART) will happen by itself.
    pub fn nothing_scheduled(&self) -> bool {
        unsafe { (*self.avr).cycle_timers.timer.is_null() }
    }

    pub fn state(&self) -> State {
        match unsafe { (*self.avr).state } as u32 {
            simavr::cpu_Running => State::Running,
            simavr::cpu_Sleeping => State::Sleeping,
            simavr::cpu_Done => State::Finished,
            _ => State::Crashed,
        }
    }

    /// What `cycle` adds to simavr's own count.
    pub fn cycles_before_reset(&self) -> u64 {
        self.cycles_before_reset
    }

    pub fn resets(&self) -> u64 {
        self.resets
    }

    #[inline(always)]
    pub fn take_marker(&self) -> Option<Marker> {
        let mut marker = self.signals.marker.take()?;
        marker.cycle += self.cycles_before_reset;
        Some(marker)
    }

    /// Something happened that ended a call of simavr early and wants to be looked at.
    #[inline(always)]
    pub fn has_signal(&self) -> bool {
        self.signals.any.get()
    }

    pub fn clear_signal(&self) {
        self.signals.any.set(false);
    }

    /// For peripherals that want to be looked at.
    pub fn signal_flag(&self) -> &'static Cell<bool> {
        &self.signals.any
    }

    pub fn pending_marker(&self) -> Option<u8> {
        self.signals.marker.get().map(|marker| marker.value)
    }

    pub fn has_bad_opcode(&self) -> bool {
        self.signals.bad_opcode.get()
    }

    /// Where the stack pointer went below the end of data.
    pub fn stack_overflow(&self) -> Option<u32> {
        self.signals.stack_overflow.get()
    }

    /// From here on, `run_one_instruction` runs one. simavr goes on to a second instruction only while
    /// run_cycle_count is greater than the cycles of the first; it sets the count itself, to the limit
    /// at most, when a timer is registered or has expired, and otherwise leaves it alone.
    pub fn prepare_single_steps(&mut self) {
        // SAFETY: see `cycle`.
        unsafe {
            (*self.avr).run_cycle_limit = 1;
            (*self.avr).run_cycle_count = 1;
        }
    }

    /// Executes one instruction, without looking at timers and interrupts.
    #[inline(always)]
    pub fn run_one_instruction(&mut self) {
        // SAFETY: see `cycle`.
        unsafe { self.execute() }
    }

    #[inline(always)]
    unsafe fn execute(&mut self) {
        let next = avr_run_one(self.avr);
        // After a jump out of the flash simavr answers 0: keep the address that tells what happened.
        if (*self.avr).state != simavr::cpu_Crashed as c_int {
            (*self.avr).pc = next;
        }
    }

    /// Executes instructions for at most about `budget` cycles, or up to the next timer or signal.
    pub fn run_burst(&mut self, budget: u64) {
        // SAFETY: see `cycle`.
        unsafe {
            let avr = self.avr;
            if (*avr).state == simavr::cpu_Running as c_int {
                let until_timer = match (*avr).cycle_timers.timer.as_ref() {
                    Some(timer) => timer.when.saturating_sub((*avr).cycle),
                    None => budget,
                };
                (*avr).run_cycle_limit = budget;
                (*avr).run_cycle_count = until_timer.clamp(1, budget);
                self.execute();
            }
        }
        self.settle_if_needed();
    }

    /// What a machine does between instructions: timers that are due, sleep, interrupts. True if there
    /// was anything to do.
    #[inline(always)]
    pub fn settle_if_needed(&mut self) -> bool {
        // SAFETY: see `cycle`.
        unsafe {
            let avr = self.avr;
            let timer_due = match (*avr).cycle_timers.timer.as_ref() {
                Some(timer) => timer.when <= (*avr).cycle,
                None => false,
            };
            let sleeping = (*avr).state == simavr::cpu_Sleeping as c_int;
            if timer_due || sleeping {
                self.run_timers(sleeping);
            }
            if (*avr).interrupt_state != 0 {
                self.enter_interrupt();
                return true;
            }
            timer_due || sleeping
        }
    }

    /// simavr enters an interrupt in no time. It takes four cycles, five where the program counter has
    /// 22 bits: ATmega328P and ATmega2560 data sheets, "Interrupt Response Time".
    fn enter_interrupt(&mut self) {
        // SAFETY: see `cycle`.
        unsafe {
            let avr = self.avr;
            let were_enabled = self.interrupts_enabled();
            simavr::avr_service_interrupts(avr);
            if were_enabled && !self.interrupts_enabled() {
                (*avr).cycle += 2 + u64::from((*avr).address_size);
            }
        }
    }

    /// As simavr's avr_callback_run_raw, except that sleeping costs device time only.
    fn run_timers(&mut self, sleeping: bool) {
        // SAFETY: see `cycle`.
        unsafe {
            let avr = self.avr;
            let before = (*avr).cycle;
            let until_next = simavr::avr_cycle_timer_process(avr);
            if (*avr).cycle < before {
                self.note_reset(before);
                return;
            }
            if !sleeping {
                return;
            }
            if (*avr).state != simavr::cpu_Sleeping as c_int {
                self.start_up();
            } else if self.interrupts_enabled() && self.clocks_are_stopped() {
                self.sleep_with_clocks_stopped();
            } else if self.interrupts_enabled() {
                let until_wake = self.latest_wake.saturating_sub((*avr).cycle);
                // Without a timer simavr answers an arbitrary number.
                let bounded_only = self.latest_wake != u64::MAX && self.nothing_scheduled();
                let asleep = if bounded_only {
                    until_wake
                } else {
                    until_wake.min(1 + until_next)
                };
                (*avr).cycle += asleep;
                self.slept[self.sleep_mode() as usize] += asleep;
            } else {
                (*avr).state = simavr::cpu_Done as c_int;
            }
        }
    }

    /// simavr has started to count from 0 again, but has set the timers of the reset (the watchdog stays
    /// on) by the old count.
    unsafe fn note_reset(&mut self, cycles: u64) {
        self.cycles_before_reset += cycles;
        self.resets += 1;
        let mut timer = (*self.avr).cycle_timers.timer;
        while !timer.is_null() {
            (*timer).when = (*timer).when.saturating_sub(cycles);
            timer = (*timer).next;
        }
    }

    /// simavr's peripheral of a kind (`uart`, `watchdog`), found in its list of peripherals.
    pub fn peripherals(&self, kind: &str) -> Vec<*mut simavr::avr_io_t> {
        let mut found = Vec::new();
        // SAFETY: a linked list that simavr builds in avr_init and does not change afterwards.
        unsafe {
            let mut peripheral = (*self.avr).io_port;
            while !peripheral.is_null() {
                if CStr::from_ptr((*peripheral).kind as *const c_char).to_bytes() == kind.as_bytes() {
                    found.push(peripheral);
                }
                peripheral = (*peripheral).next;
            }
        }
        found
    }
}

/// What makes a device of this name. simavr's own look-up would print a complaint of its own.
fn constructor(mcu: &str) -> Option<unsafe extern "C" fn() -> *mut avr_t> {
    // SAFETY: `avr_kind` ends with a null pointer; so do the names of each kind, unless there are four.
    unsafe {
        let mut kind = avr_kind.as_ptr();
        while let Some(device) = (*kind).as_ref() {
            let mut names = device.names.iter().take_while(|name| !name.is_null());
            if names.any(|&name| CStr::from_ptr(name).to_bytes() == mcu.as_bytes()) {
                return device.make;
            }
            kind = kind.add(1);
        }
        None
    }
}

/// A bit field of a register, as simavr's inline avr_regbit_get reads it.
///
/// # Safety
/// `avr` must be an initialised machine and `bits` one of its own descriptions.
pub unsafe fn read_bits(avr: *const avr_t, bits: &simavr::avr_regbit_t) -> u8 {
    (*(*avr).data.add(bits.reg() as usize) >> bits.bit()) & bits.mask() as u8
}

unsafe fn load(avr: *mut avr_t, mcu: &str, firmware: &Firmware) -> Result<(), String> {
    let flash_size = (*avr).flashend + 1;
    if firmware.flash_end > flash_size {
        return Err(format!(
            "the firmware ends at flash address {:#x}, but the {mcu} has {flash_size} bytes of flash",
            firmware.flash_end
        ));
    }
    for segment in &firmware.flash {
        ptr::copy_nonoverlapping(
            segment.bytes.as_ptr(),
            (*avr).flash.add(segment.address as usize),
            segment.bytes.len(),
        );
    }
    for segment in &firmware.eeprom {
        if segment.address as usize + segment.bytes.len() > (*avr).e2end as usize + 1 {
            return Err(format!("the firmware's EEPROM contents do not fit into the {mcu}"));
        }
        let mut contents = simavr::avr_eeprom_desc_t {
            ee: segment.bytes.as_ptr() as *mut u8,
            offset: segment.address as u16,
            size: segment.bytes.len() as u32,
        };
        simavr::avr_ioctl(avr, IOCTL_EEPROM_SET, &mut contents as *mut _ as *mut c_void);
    }
    Ok(())
}

/// Makes the running call of simavr return after the present instruction.
unsafe fn return_soon(avr: *mut avr_t) {
    (*avr).run_cycle_count = 0;
}

unsafe extern "C" fn on_marker(avr: *mut avr_t, address: u16, value: u8, parameter: *mut c_void) {
    *(*avr).data.add(address as usize) = value;
    let signals = &*(parameter as *const Signals);
    signals.marker.set(Some(Marker {
        value,
        cycle: (*avr).cycle,
    }));
    signals.any.set(true);
    return_soon(avr);
}

/// Either byte of the stack pointer was written. For a push, a call or an interrupt simavr writes SPL, then
/// SPH; a program that takes or gives back a frame writes SPH, then SPL, as avr-gcc does. Between the two
/// the value means nothing.
unsafe extern "C" fn on_stack_pointer(avr: *mut avr_t, address: u16, value: u8, parameter: *mut c_void) {
    *(*avr).data.add(address as usize) = value;
    let signals = &*(parameter as *const Signals);
    let sp = u16::from_le_bytes([*(*avr).data.add(SPL), *(*avr).data.add(SPH)]);
    if sp < signals.lowest_sp.get() || sp > signals.highest_sp.get() {
        let opcode = ptr::read_unaligned((*avr).flash.add((*avr).pc as usize) as *const u16);
        let out = u16::from_le(opcode) & OUT_REGISTER_MASK;
        let is_whole = match address as usize {
            SPL => out == OUT_SPL,
            _ => out != OUT_SPH,
        };
        if is_whole {
            signals.stack_overflow.set(Some((*avr).pc));
            signals.any.set(true);
            return_soon(avr);
        }
    }
}

unsafe extern "C" fn on_bad_opcode(irq: *mut simavr::avr_irq_t, _opcode: u32, parameter: *mut c_void) {
    let signals = &*(parameter as *const Signals);
    signals.bad_opcode.set(true);
    signals.any.set(true);
    // Any state but running makes simavr leave it to us, without a message of its own.
    (*(*(*irq).pool).avr).state = simavr::cpu_Stopped as c_int;
}
