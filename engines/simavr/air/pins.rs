//! General-purpose pins of an AVR, joined to what is outside.

use std::cell::Cell;
use std::ffi::c_void;

use bancada_simavr::machine::Machine;
use simavr_ffi as simavr;
use simavr_ffi::{avr_ioport_t, avr_irq_t, avr_t};

use crate::config::ModuleWiring;

#[derive(Clone, Copy)]
pub struct Pin {
    port: *mut avr_ioport_t,
    bit: u8,
}

impl Pin {
    /// By its name in the data sheet: `PB0`.
    pub fn named(machine: &Machine, name: &str) -> Result<Pin, String> {
        let unknown = || format!("the microcontroller has no pin '{name}'; pins are called PB0, PD2, ...");
        let [b'P', letter, digit @ b'0'..=b'7'] = name.as_bytes() else {
            return Err(unknown());
        };
        let port = machine
            .peripherals("port")
            .into_iter()
            .map(|peripheral| peripheral as *mut avr_ioport_t)
            // SAFETY: simavr's peripherals of kind "port" begin an avr_ioport_t.
            .find(|port| unsafe { (**port).name } as u8 == *letter)
            .ok_or_else(unknown)?;
        Ok(Pin {
            port,
            bit: digit - b'0',
        })
    }

    fn avr(&self) -> *mut avr_t {
        // SAFETY: ports stay allocated for the life of the program (here and below).
        unsafe { (*self.port).io.avr }
    }

    fn register_bit(&self, address: u16) -> bool {
        unsafe { *(*self.avr()).data.add(address as usize) >> self.bit & 1 == 1 }
    }

    fn is_output(&self) -> bool {
        unsafe { self.register_bit((*self.port).r_ddr) }
    }

    /// What the device puts on the pin. Where it drives nothing, the other side has a pull-up.
    pub fn driven_level(&self) -> bool {
        !self.is_output() || unsafe { self.register_bit((*self.port).r_port) }
    }

    /// Puts a level on the pin from outside.
    pub fn drive(&self, machine: &mut Machine, level: bool) {
        unsafe {
            let mask = 1 << self.bit;
            let external = &mut (*self.port).external;
            external.pull_mask |= mask;
            external.pull_value = external.pull_value & !mask | u8::from(level) << self.bit;
            if !self.is_output() {
                machine.raise((*self.port).io.irq.add(usize::from(self.bit)), u32::from(level));
            }
            self.write_input_bit(level);
        }
    }

    unsafe fn write_input_bit(&self, level: bool) {
        let register = (*self.avr()).data.add((*self.port).r_pin as usize);
        *register = *register & !(1 << self.bit) | u8::from(level) << self.bit;
    }

    /// simavr's reset clears the input register, and forgets that it has told of the outputs.
    pub fn restore_after_reset(&self, outside_level: Option<bool>) {
        unsafe {
            let irq = (*self.port).io.irq;
            (*irq.add(simavr::IOPORT_IRQ_REG_PORT as usize)).value = 0;
            (*irq.add(simavr::IOPORT_IRQ_DIRECTION_ALL as usize)).value = 0;
            if let Some(level) = outside_level {
                self.write_input_bit(level);
                (*irq.add(usize::from(self.bit))).value = u32::from(level);
            }
        }
    }

    /// Makes the running call of simavr return when the device writes to the pin's port.
    pub fn watch(&self, signal: &'static Cell<bool>) {
        let parameter = signal as *const Cell<bool> as *mut c_void;
        unsafe {
            for number in [simavr::IOPORT_IRQ_REG_PORT, simavr::IOPORT_IRQ_DIRECTION_ALL] {
                simavr::avr_irq_register_notify(
                    (*self.port).io.irq.add(number as usize),
                    Some(on_port_write),
                    parameter,
                );
            }
        }
    }
}

/// A pin that something outside holds at a level.
pub struct Held {
    pub pin: Pin,
    pub level: bool,
}

impl Held {
    pub fn set(&mut self, machine: &mut Machine, level: bool) {
        self.level = level;
        self.pin.drive(machine, level);
    }
}

/// The device's pins that its module is wired to.
pub struct ModuleWires {
    pub m0: Pin,
    pub m1: Pin,
    pub aux: Pin,
    pub from_module: Pin,
    pub to_module: Pin,
}

impl ModuleWires {
    pub fn connect(machine: &Machine, wiring: &ModuleWiring) -> Result<ModuleWires, String> {
        let pin = |name| Pin::named(machine, name);
        let wires = ModuleWires {
            m0: pin(&wiring.m0)?,
            m1: pin(&wiring.m1)?,
            aux: pin(&wiring.aux)?,
            from_module: pin(&wiring.from_module)?,
            to_module: pin(&wiring.to_module)?,
        };
        for output in wires.outputs() {
            output.watch(machine.signal_flag());
        }
        Ok(wires)
    }

    /// What the device drives.
    pub fn outputs(&self) -> [Pin; 3] {
        [self.m0, self.m1, self.to_module]
    }
}

unsafe extern "C" fn on_port_write(irq: *mut avr_irq_t, _value: u32, parameter: *mut c_void) {
    (*(parameter as *const Cell<bool>)).set(true);
    (*(*(*irq).pool).avr).run_cycle_count = 0;
}
