//! What several devices in one simulation need of a machine, beyond running: time that is bounded from outside, resets, pins,
//! how it sleeps.

use simavr_ffi as simavr;

use super::{Machine, State, WAKE_CYCLES};

/// SMCR, and its bits SM2..SM0: ATmega328P and ATmega2560 data sheets, "Sleep Modes".
const SMCR: usize = 0x53;

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
        // SAFETY: see `cycle`.
        unsafe { (*self.avr).cycle = (*self.avr).cycle.max(cycle.saturating_sub(self.cycles_before_reset)) };
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

    /// The crystal needs this long after power-down and power-save: data sheets, "Start-up Times for the
    /// Low Power Crystal Oscillator". Without it, these modes end as fast as idle.
    pub fn set_start_up_cycles(&mut self, cycles: u64) {
        self.start_up_cycles = cycles;
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

    pub(super) fn wake_cycles(&self) -> u64 {
        match self.sleep_mode() {
            SleepMode::PowerDown | SleepMode::PowerSave => self.start_up_cycles,
            _ => WAKE_CYCLES,
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
            (*self.avr).cycle += self.wake_cycles();
        }
    }
}
