//! The DS3231 on the device's two-wire interface.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;

use bancada_simavr::machine::Machine;
use simavr_ffi as simavr;
use simavr_ffi::{avr_irq_t, avr_twi_t};

use crate::ds3231::{Ds3231, TWI_ADDRESS};
use crate::node_time::NodeTime;

const START: u8 = simavr::TWI_COND_START as u8;
const STOP: u8 = simavr::TWI_COND_STOP as u8;
const ACK: u8 = simavr::TWI_COND_ACK as u8;
const WRITE: u8 = simavr::TWI_COND_WRITE as u8;
const READ: u8 = simavr::TWI_COND_READ as u8;

/// Shared with simavr's callback.
struct Bus {
    twi: *mut avr_twi_t,
    clock: RefCell<Ds3231>,
    time: NodeTime,
    cycles_before_reset: Cell<u64>,
    selected: Cell<bool>,
    /// The next byte written is the register's number.
    expects_pointer: Cell<bool>,
}

pub struct ClockOnTwi {
    bus: &'static Bus,
}

impl ClockOnTwi {
    pub fn connect(machine: &Machine, clock: Ds3231, time: NodeTime) -> Result<ClockOnTwi, String> {
        let twi = *machine
            .peripherals("twi")
            .first()
            .ok_or("this microcontroller has no two-wire interface in simavr")? as *mut avr_twi_t;
        let bus: &'static Bus = Box::leak(Box::new(Bus {
            twi,
            clock: RefCell::new(clock),
            time,
            cycles_before_reset: Cell::new(0),
            selected: Cell::new(false),
            expects_pointer: Cell::new(false),
        }));
        // SAFETY: simavr's peripherals of kind "twi" begin an avr_twi_t; both live as long as the program.
        unsafe {
            let output = (*twi).io.irq.add(simavr::TWI_IRQ_OUTPUT as usize);
            simavr::avr_irq_register_notify(output, Some(on_message), bus as *const Bus as *mut c_void);
        }
        Ok(ClockOnTwi { bus })
    }

    pub fn clock(&self) -> std::cell::Ref<'_, Ds3231> {
        self.bus.clock.borrow()
    }

    pub fn note_reset(&self, cycles_before_reset: u64) {
        self.bus.cycles_before_reset.set(cycles_before_reset);
        self.bus.selected.set(false);
    }
}

impl Bus {
    fn now_ns(&self) -> u64 {
        // SAFETY: the interface stays allocated for the life of the program.
        let cycle = unsafe { (*(*self.twi).io.avr).cycle };
        self.time.ns_at(self.cycles_before_reset.get() + cycle)
    }

    fn answer(&self, message: u8, address: u8, data: u8) {
        // SAFETY: simavr's documented way for a slave to answer.
        unsafe {
            let input = (*self.twi).io.irq.add(simavr::TWI_IRQ_INPUT as usize);
            simavr::avr_raise_irq(input, simavr::avr_twi_irq_msg(message, address, data));
        }
    }
}

unsafe extern "C" fn on_message(_irq: *mut avr_irq_t, value: u32, parameter: *mut c_void) {
    let bus = &*(parameter as *const Bus);
    // As avr_twi_irq_msg packs it: a byte unused, the message, the address, the data.
    let [_, message, address, data] = value.to_le_bytes();
    if message & STOP != 0 {
        bus.selected.set(false);
    }
    if message & START != 0 {
        let selected = address >> 1 == TWI_ADDRESS;
        bus.selected.set(selected);
        bus.expects_pointer.set(address & 1 == 0);
        if selected {
            bus.clock.borrow_mut().start(bus.now_ns());
            bus.answer(ACK, address, 1);
        }
    }
    if !bus.selected.get() {
        return;
    }
    if message & WRITE != 0 {
        let mut clock = bus.clock.borrow_mut();
        if bus.expects_pointer.take() {
            clock.set_pointer(data);
        } else {
            clock.write(bus.now_ns(), data);
        }
        drop(clock);
        bus.answer(ACK, address, 1);
    }
    if message & READ != 0 {
        let value = bus.clock.borrow_mut().read(bus.now_ns());
        bus.answer(READ, address, value);
    }
}
