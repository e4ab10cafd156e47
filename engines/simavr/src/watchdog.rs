//! Jitter for the watchdog.
//!
//! simavr's watchdog expires after exactly 2048 << WDP cycles of a perfect 128 kHz clock. On silicon that
//! clock is an RC oscillator that wanders against the crystal, which is what makes it a source of
//! entropy. Here each period is lengthened or shortened by a pseudo-random number of cycles from a
//! seed: enough to exercise firmware that samples the jitter, and no evidence about silicon.

use std::cell::Cell;
use std::ffi::c_void;

use simavr_ffi as simavr;
use simavr_ffi::{avr_t, avr_watchdog_t};

use crate::machine::{read_bits, Machine};
use crate::random::Random;

/// Periods differ from the nominal one by -JITTER_CYCLES .. JITTER_CYCLES - 1.
const JITTER_CYCLES: u64 = 256;

const WATCHDOG_HERTZ: u64 = 128_000;
const SHORTEST_TICKS: u64 = 2048;

struct Jitter {
    watchdog: *mut avr_watchdog_t,
    random: Cell<Random>,
}

pub fn add_jitter(machine: &Machine, seed: u64) -> Result<(), String> {
    let watchdog = *machine
        .peripherals("watchdog")
        .first()
        .ok_or("--wdt-jitter: this microcontroller has no watchdog in simavr")?
        as *mut avr_watchdog_t;
    let jitter: &'static Jitter = Box::leak(Box::new(Jitter {
        watchdog,
        random: Cell::new(Random::new(seed)),
    }));
    let parameter = jitter as *const Jitter as *mut c_void;
    // SAFETY: simavr's peripherals of kind "watchdog" begin an avr_watchdog_t; the parameter lives as
    // long as the program.
    unsafe {
        let pending = &mut (*watchdog).watchdog.irq[simavr::AVR_INT_IRQ_PENDING as usize];
        simavr::avr_irq_register_notify(pending, Some(on_expiry), parameter);
        simavr::avr_register_io_write(
            machine.raw(),
            (*watchdog).wdce.reg() as u16,
            Some(on_control_write),
            parameter,
        );
    }
    Ok(())
}

impl Jitter {
    /// Sets the length of the period that begins next. simavr's timer adds `cycle_count` to the time of
    /// an expiry after it has raised the interrupt, that is after this was called.
    unsafe fn draw_period(&self, avr: *const avr_t) {
        let watchdog = &mut *self.watchdog;
        let prescaler = watchdog
            .wdp
            .iter()
            .enumerate()
            .map(|(bit, field)| u64::from(read_bits(avr, field)) << bit)
            .sum::<u64>();
        let nominal = (SHORTEST_TICKS << prescaler) * u64::from((*avr).frequency) / WATCHDOG_HERTZ;
        let mut random = self.random.get();
        let offset = random.next_u64() % (2 * JITTER_CYCLES);
        self.random.set(random);
        watchdog.cycle_count = (nominal + offset).saturating_sub(JITTER_CYCLES).max(1);
    }
}

unsafe extern "C" fn on_expiry(_irq: *mut simavr::avr_irq_t, raised: u32, parameter: *mut c_void) {
    let jitter = &*(parameter as *const Jitter);
    if raised != 0 {
        jitter.draw_period((*jitter.watchdog).io.avr);
    }
}

/// simavr's own handler of the control register has run before this one and, if the write started the
/// watchdog, has set its timer for exactly the nominal period from now: replace that first period too.
unsafe extern "C" fn on_control_write(avr: *mut avr_t, _address: u16, _value: u8, parameter: *mut c_void) {
    let jitter = &*(parameter as *const Jitter);
    let nominal_end = (*avr).cycle + (*jitter.watchdog).cycle_count;
    let mut timer = (*avr).cycle_timers.timer;
    while !timer.is_null() {
        if (*timer).param as *mut avr_watchdog_t == jitter.watchdog && (*timer).when == nominal_end {
            let callback = (*timer).timer;
            jitter.draw_period(avr);
            simavr::avr_cycle_timer_register(
                avr,
                (*jitter.watchdog).cycle_count,
                callback,
                jitter.watchdog as *mut c_void,
            );
            return;
        }
        timer = (*timer).next;
    }
}
