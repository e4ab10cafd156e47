//! The serial line at 115200 8N1, byte by byte in the device's time, with a receiver of three bytes: two that are whole
//! and one that is coming in. What comes while it is full is lost (ATmega328P data sheet, "Data OverRun").

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::c_void;

use bancada_simavr::machine::Machine;
use simavr_ffi as simavr;
use simavr_ffi::avr_uart_t;

/// Ten bits of a line of 115200 bit/s, in cycles of 16 MHz.
const BYTE_CYCLES: u64 = 1_389;
/// The device's own byte, by its baud rate of UBRR = 16 and U2X.
const DEVICE_BYTE_CYCLES: u64 = 1_360;
const RECEIVER_BYTES: u16 = 3;
/// uart_fifo of simavr.
const FIFO_BYTES: u16 = 64;

/// Shared with simavr's callbacks.
#[derive(Default)]
struct Shared {
    sent: RefCell<Vec<u8>>,
    /// Looks at the empty receiver since something was sent.
    polls: Cell<u64>,
}

pub struct Line {
    uart: *mut avr_uart_t,
    coming: VecDeque<u8>,
    free_at: u64,
    shared: &'static Shared,
}

impl Line {
    pub fn connect(machine: &Machine) -> Result<Line, String> {
        let uart = *machine
            .peripherals("uart")
            .first()
            .ok_or("there is no UART in simavr")? as *mut avr_uart_t;
        let shared: &'static Shared = Box::leak(Box::default());
        let parameter = shared as *const Shared as *mut c_void;
        // SAFETY: simavr's peripherals of kind "uart" begin an avr_uart_t; `shared` lives as long as the program.
        unsafe {
            (*uart).flags = 0;
            let irq = |number: u32| (*uart).io.irq.add(number as usize);
            simavr::avr_irq_register_notify(irq(simavr::UART_IRQ_OUTPUT), Some(on_output), parameter);
            simavr::avr_irq_register_notify(irq(simavr::UART_IRQ_OUT_XON), Some(on_poll), parameter);
        }
        Ok(Line {
            uart,
            coming: VecDeque::new(),
            free_at: 0,
            shared,
        })
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.coming.extend(bytes);
    }

    pub fn clear(&mut self) {
        self.coming.clear();
        self.shared.polls.set(0);
    }

    pub fn polls(&self) -> u64 {
        self.shared.polls.get()
    }

    /// Gives the receiver what is due; when the next byte is.
    pub fn feed(&mut self, machine: &Machine) -> Option<u64> {
        let now = machine.cycle();
        if now >= self.free_at {
            if let Some(byte) = self.coming.pop_front() {
                self.free_at = now + BYTE_CYCLES;
                self.receive(byte);
            }
        }
        (!self.coming.is_empty()).then_some(self.free_at)
    }

    fn receive(&self, byte: u8) {
        // SAFETY: simavr's documented way to give its UART a byte.
        unsafe {
            let input = &(*self.uart).input;
            if (input.write - input.read).rem_euclid(FIFO_BYTES) < RECEIVER_BYTES {
                (*self.uart).cycles_per_byte = DEVICE_BYTE_CYCLES;
                let irq = (*self.uart).io.irq.add(simavr::UART_IRQ_INPUT as usize);
                simavr::avr_raise_irq(irq, u32::from(byte));
            }
        }
    }

    pub fn sent_bytes(&self) -> usize {
        self.shared.sent.borrow().len()
    }

    pub fn take_sent(&self) -> Vec<u8> {
        self.shared.sent.take()
    }
}

unsafe extern "C" fn on_output(irq: *mut simavr::avr_irq_t, value: u32, parameter: *mut c_void) {
    let shared = &*(parameter as *const Shared);
    shared.sent.borrow_mut().push(value as u8);
    shared.polls.set(0);
    // So that the caller sees it soon.
    (*(*(*irq).pool).avr).run_cycle_count = 0;
}

unsafe extern "C" fn on_poll(_irq: *mut simavr::avr_irq_t, _value: u32, parameter: *mut c_void) {
    let polls = &(*(parameter as *const Shared)).polls;
    polls.set(polls.get() + 1);
}
