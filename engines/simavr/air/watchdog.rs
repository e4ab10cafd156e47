//! A correction of simavr's watchdog: when firmware changes the prescaler of a watchdog that runs, simavr goes on with
//! the old time until the next expiry. On silicon the counter goes on and is compared with the new one: ATmega328P data
//! sheet, "Watchdog Timer".

use std::cell::Cell;
use std::ffi::c_void;

use bancada_simavr::machine::Machine;
use simavr_ffi as simavr;
use simavr_ffi::{avr_t, avr_watchdog_t};

/// A watchdog whose prescaler counts at once.
pub struct Watchdog(&'static State);

struct State {
    watchdog: *mut avr_watchdog_t,
    /// As simavr had it after the last write to the control register, or after the last reset.
    cycle_count: Cell<u64>,
}

pub fn let_prescaler_changes_count_at_once(machine: &Machine) -> Option<Watchdog> {
    let &watchdog = machine.peripherals("watchdog").first()?;
    let watchdog = watchdog as *mut avr_watchdog_t;
    let state: &'static State = Box::leak(Box::new(State {
        watchdog,
        cycle_count: Cell::new(0),
    }));
    // SAFETY: simavr's peripherals of kind "watchdog" begin an avr_watchdog_t; both live as long as the program.
    unsafe {
        let register = (*watchdog).wdce.reg() as u16;
        let parameter = state as *const State as *mut c_void;
        simavr::avr_register_io_write(machine.raw(), register, Some(on_control_write), parameter);
    }
    Some(Watchdog(state))
}

impl Watchdog {
    /// After a reset by itself the watchdog runs on with its shortest time, which no program wrote to its control
    /// register: the first write must not be compared with the time before the reset.
    pub fn note_reset(&self) {
        // SAFETY: lives as long as the program, see above.
        self.0.cycle_count.set(unsafe { (*self.0.watchdog).cycle_count });
    }
}

/// simavr's own handler has run before this one.
unsafe extern "C" fn on_control_write(avr: *mut avr_t, _address: u16, _value: u8, parameter: *mut c_void) {
    let state = &*(parameter as *const State);
    let new = (*state.watchdog).cycle_count;
    let old = state.cycle_count.replace(new);
    if old == new || old == 0 {
        return;
    }
    // Of simavr's two timers for a watchdog, the other only ends the four cycles in which WDCE holds.
    let mut expiry = std::ptr::null_mut();
    let mut timer = (*avr).cycle_timers.timer;
    while !timer.is_null() {
        if (*timer).param as *mut avr_watchdog_t == state.watchdog {
            expiry = timer;
        }
        timer = (*timer).next;
    }
    let restarted_now = |when: u64| when == (*avr).cycle + new;
    if !expiry.is_null() && (*expiry).when > (*avr).cycle + 4 && !restarted_now((*expiry).when) {
        let counted_from = (*expiry).when.saturating_sub(old);
        let left = (counted_from + new).saturating_sub((*avr).cycle).max(1);
        simavr::avr_cycle_timer_register(avr, left, (*expiry).timer, (*expiry).param);
    }
}
