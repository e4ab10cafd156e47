//! What several devices in one simulation need of a machine, beyond running: time that is bounded from outside, resets,
//! pins, how it sleeps.

use std::ffi::c_void;
use std::ptr;

use simavr_ffi as simavr;

use super::{Machine, State, WAKE_CYCLES};

/// SMCR, and its bits SM2..SM0: ATmega328P and ATmega2560 data sheets, "Sleep Modes".
const SMCR: usize = 0x53;

/// AVR_IOCTL_DEF('w','d','t','r'): a macro, so the bindings lack it.
const IOCTL_WATCHDOG_RESET: u32 = u32::from_be_bytes(*b"wdtr");

/// What can reset a device from outside; the watchdog is inside simavr.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResetCause {
    PowerOn,
    External,
    BrownOut,
}

/// SM2..SM0 in the register SMCR.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SleepMode {
    Idle,
    AdcNoiseReduction,
    PowerDown,
    PowerSave,
    Standby,
}

pub const SLEEP_MODES: usize = 5;

pub(super) struct DeepSleep {
    start_up_cycles: u64,
    /// Peripherals whose clock does not stop.
    keep_running: Vec<*mut c_void>,
    timers: Vec<*mut simavr::avr_timer_t>,
}

impl Machine {
    /// Executes or sleeps until about this cycle, or the next timer or signal. Sleep does not go beyond it,
    /// so that the caller can let something happen at the pins then.
    pub fn run_until(&mut self, cycle: u64) {
        let budget = cycle.saturating_sub(self.cycle()).max(1);
        // SAFETY: see `cycle`.
        self.latest_wake = unsafe { (*self.avr).cycle } + budget;
        self.run_burst(budget);
    }

    /// Lets time pass in which the device does nothing: it is held in reset, or has finished.
    pub fn stand_still_until(&mut self, cycle: u64) {
        // SAFETY: see `cycle`; the watchdog takes no parameter.
        unsafe {
            (*self.avr).cycle = (*self.avr).cycle.max(cycle.saturating_sub(self.cycles_before_reset));
            // One that is on after a reset begins to count when the device starts, not when it was reset.
            simavr::avr_ioctl(self.avr, IOCTL_WATCHDOG_RESET, ptr::null_mut());
        }
    }

    /// Resets the device as a pin, a brown-out or a power cycle does. RAM is kept.
    pub fn reset(&mut self, cause: ResetCause) {
        // SAFETY: see `cycle`; avr_reset keeps the flags of MCUSR, and all four are in it.
        unsafe {
            let avr = self.avr;
            let flags = &(*avr).reset_flags;
            let flag = match cause {
                ResetCause::PowerOn => &flags.porf,
                ResetCause::External => &flags.extrf,
                ResetCause::BrownOut => &flags.borf,
            };
            let status = (*avr).data.add(flag.reg() as usize);
            if cause == ResetCause::PowerOn {
                *status = 0;
            }
            *status |= 1 << flag.bit();
            let cycles = (*avr).cycle;
            simavr::avr_reset(avr);
            self.note_reset(cycles);
        }
    }

    /// From here on, power-down and power-save are as on silicon: the timers, the serial ports and the other clocked
    /// peripherals stand still, only the watchdog and a write to EEPROM go on, and the crystal needs so many cycles to
    /// start again. (ATmega328P data sheet, "Power-down Mode", "Start-up Times for the Low Power Crystal Oscillator".
    /// Timer 2 with a crystal of its own, which would go on in power-save, is not provided for.) Otherwise they are as
    /// idle mode.
    pub fn stop_clocks_in_deep_sleep(&mut self, start_up_cycles: u64) {
        let keep_running = ["watchdog", "eeprom"]
            .into_iter()
            .flat_map(|kind| self.peripherals(kind));
        self.deep_sleep = Some(DeepSleep {
            start_up_cycles,
            keep_running: keep_running.map(|peripheral| peripheral as *mut c_void).collect(),
            timers: self
                .peripherals("timer")
                .into_iter()
                .map(|peripheral| peripheral as *mut simavr::avr_timer_t)
                .collect(),
        });
    }

    pub fn sleep_mode(&self) -> SleepMode {
        // SAFETY: SMCR lies inside the allocated data space.
        match unsafe { *self.data.add(SMCR) } >> 1 & 7 {
            0 => SleepMode::Idle,
            1 => SleepMode::AdcNoiseReduction,
            2 => SleepMode::PowerDown,
            3 => SleepMode::PowerSave,
            _ => SleepMode::Standby,
        }
    }

    pub fn slept_cycles(&self, mode: SleepMode) -> u64 {
        self.slept[mode as usize]
    }

    pub(super) fn clocks_are_stopped(&self) -> bool {
        self.deep_sleep.is_some() && matches!(self.sleep_mode(), SleepMode::PowerDown | SleepMode::PowerSave)
    }

    /// The device has just been woken.
    pub(super) fn start_up(&mut self) {
        let start_up_cycles = match &self.deep_sleep {
            Some(deep_sleep) if self.clocks_are_stopped() => {
                let cycles = deep_sleep.start_up_cycles;
                // SAFETY: the machine is not inside a call of simavr.
                unsafe { self.hold_clocks(cycles) };
                cycles
            }
            _ => WAKE_CYCLES,
        };
        // SAFETY: see `cycle`.
        unsafe { (*self.avr).cycle += start_up_cycles };
    }

    /// Sleeps until something that still runs is due, or until the caller's limit.
    pub(super) fn sleep_with_clocks_stopped(&mut self) {
        // SAFETY: see `cycle`; the machine is not inside a call of simavr.
        unsafe {
            let avr = self.avr;
            let next = self
                .scheduled()
                .into_iter()
                .filter(|timer| self.keeps_running(*timer))
                .map(|timer| (*timer).when)
                .min();
            let asleep = self
                .latest_wake
                .min(next.unwrap_or(u64::MAX))
                .saturating_sub((*avr).cycle);
            self.hold_clocks(asleep);
            (*avr).cycle += asleep;
            self.slept[self.sleep_mode() as usize] += asleep;
        }
    }

    unsafe fn scheduled(&self) -> Vec<*mut simavr::avr_cycle_timer_slot_t> {
        let mut timers = Vec::new();
        let mut timer = (*self.avr).cycle_timers.timer;
        while !timer.is_null() {
            timers.push(timer);
            timer = (*timer).next;
        }
        timers
    }

    unsafe fn keeps_running(&self, timer: *const simavr::avr_cycle_timer_slot_t) -> bool {
        self.deep_sleep
            .as_ref()
            .is_some_and(|deep_sleep| deep_sleep.keep_running.contains(&(*timer).param))
    }

    /// Puts off by so many cycles all that simavr has scheduled for peripherals whose clock stands still.
    unsafe fn hold_clocks(&mut self, cycles: u64) {
        let Some(deep_sleep) = &self.deep_sleep else {
            return;
        };
        let mut timers = self.scheduled();
        for timer in &timers {
            if !self.keeps_running(*timer) {
                (**timer).when += cycles;
            }
        }
        // simavr keeps its list sorted.
        timers.sort_by_key(|timer| (**timer).when);
        let mut link = &mut (*self.avr).cycle_timers.timer as *mut *mut simavr::avr_cycle_timer_slot_t;
        for timer in timers {
            *link = timer;
            link = &mut (*timer).next;
        }
        *link = ptr::null_mut();
        for timer in &deep_sleep.timers {
            // When its count was 0; simavr takes 0 here for "not begun".
            if (**timer).tov_cycles != 0 && (**timer).tov_base != 0 {
                (**timer).tov_base += cycles;
            }
        }
    }

    /// Raises one of simavr's IRQs from outside, a pin for example, which may wake the device.
    ///
    /// # Safety
    /// `irq` must belong to this machine.
    pub unsafe fn raise(&mut self, irq: *mut simavr::avr_irq_t, value: u32) {
        let was_asleep = self.state() == State::Sleeping;
        simavr::avr_raise_irq(irq, value);
        if was_asleep && self.state() == State::Running {
            self.start_up();
        }
    }
}
