//! UART0 of the device, joined to a `Port`.
//!
//! When input reaches the device:
//! * Firmware that polls gets one byte each time it asks for one. It asks by writing the marker "waiting for
//!   input", or by polling its empty receiver a few times in a row with nothing to wait for on its
//!   transmitter. At the marker, device time stands still until the host has a byte; at polling, for a
//!   moment of the host's time (the host may be in the middle of a frame). What the firmware does then
//!   depends on the bytes, not on when the host sent them.
//! * Firmware that receives by interrupt gets whatever the host has sent each time its receiver is empty.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::io;
use std::time::Duration;

use simavr_ffi as simavr;
use simavr_ffi::{avr_t, avr_uart_t};

use crate::machine::{read_bits, Machine};
use crate::serial::Port;

/// So many polls of the empty receiver in a row, with an idle transmitter, ask for input. Fewer may just
/// look whether the transmitter is idle: the same register tells both.
const POLLS_THAT_ASK: u64 = 4;

/// Firmware that polls, but never asks as above, because it sends all the time, gets a byte after so many
/// polls and a second of device time.
const POLLS_OF_THE_BUSY: u64 = 1000;

/// After the end of the input, firmware that polls its receiver this often, for a second of device
/// time, and sends nothing, is taken to be waiting for a byte that cannot come.
const POLLS_BEFORE_END: u64 = 10_000;

/// UPM01 in UCSR0C: even or odd parity.
const UPM_ENABLED: u8 = 1 << 5;

/// The firmware polls an empty receiver, and sends nothing: since when, and how often.
#[derive(Clone, Copy, Default)]
struct Polling {
    since: u64,
    polls: u64,
    with_idle_transmitter: u64,
}

/// Shared with simavr's callbacks, which run inside `Machine::run_*`.
struct Link {
    uart: *mut avr_uart_t,
    frequency: u64,
    port: RefCell<Port>,
    output: RefCell<Vec<u8>>,
    receiver_full: Cell<bool>,
    polling: Cell<Polling>,
    asks: Cell<bool>,
    /// How long the host may take between two pieces of what it sends before device time goes on.
    host_pause: Duration,
    /// The host has taken longer than that.
    host_pauses: Cell<bool>,
    last_fed_cycle: Cell<u64>,
    polls_since_fed: Cell<u64>,
    starved: Cell<bool>,
    machine_signal: &'static Cell<bool>,
}

pub struct Uart {
    link: &'static Link,
}

impl Uart {
    pub fn connect(machine: &Machine, port: Port, frequency: u32, host_pause: Duration) -> Result<Uart, String> {
        let uart = machine
            .peripherals("uart")
            .into_iter()
            .map(|peripheral| peripheral as *mut avr_uart_t)
            // SAFETY: simavr's peripherals of kind "uart" begin an avr_uart_t.
            .find(|uart| unsafe { (**uart).name } as u8 == b'0')
            .ok_or("this microcontroller has no UART0 in simavr")?;
        let link: &'static Link = Box::leak(Box::new(Link {
            uart,
            frequency: u64::from(frequency),
            port: RefCell::new(port),
            output: RefCell::new(Vec::new()),
            receiver_full: Cell::new(false),
            polling: Cell::default(),
            asks: Cell::new(false),
            host_pause,
            host_pauses: Cell::new(false),
            last_fed_cycle: Cell::new(0),
            polls_since_fed: Cell::new(0),
            starved: Cell::new(false),
            machine_signal: machine.signal_flag(),
        }));
        let parameter = link as *const Link as *mut c_void;
        // SAFETY: `uart` is initialised and `link` lives as long as the program.
        unsafe {
            // No text mode on standard output, and no usleep when the firmware polls.
            (*uart).flags = 0;
            let irq = |number: u32| (*uart).io.irq.add(number as usize);
            simavr::avr_irq_register_notify(irq(simavr::UART_IRQ_OUTPUT), Some(on_output), parameter);
            simavr::avr_irq_register_notify(irq(simavr::UART_IRQ_OUT_XON), Some(on_empty), parameter);
            simavr::avr_irq_register_notify(irq(simavr::UART_IRQ_OUT_XOFF), Some(on_full), parameter);
        }
        Ok(Uart { link })
    }

    /// The marker "waiting for input". False if no input will ever come.
    pub fn wait_for_input(&self) -> io::Result<bool> {
        let link = self.link;
        link.polling.set(Polling::default());
        if !link.receiver_is_empty() {
            return Ok(true);
        }
        self.wait_while_asleep()
    }

    /// The device stands still and only the UART can change that. False if no input will ever come.
    pub fn wait_while_asleep(&self) -> io::Result<bool> {
        self.flush()?;
        if !self.link.port.borrow_mut().wait() {
            return Ok(false);
        }
        self.link.feed_one();
        Ok(true)
    }

    /// The firmware may have asked for input by polling.
    pub fn answer(&self) -> io::Result<()> {
        let link = self.link;
        if link.asks.take() {
            self.flush()?;
            if !link.host_pauses.get() {
                link.host_pauses.set(true);
                link.port.borrow_mut().wait_for(link.host_pause);
            }
            link.feed_one();
        }
        Ok(())
    }

    /// To be called now and then: moves what has come and what is to go, without waiting.
    pub fn exchange(&self) -> io::Result<()> {
        self.flush()?;
        let link = self.link;
        link.port.borrow_mut().poll();
        if !link.receiver_is_empty() {
            return Ok(());
        }
        if link.receives_by_interrupt() {
            link.feed_all();
        } else if link.is_busy_polling() {
            link.feed_one();
        }
        Ok(())
    }

    /// Input has ended, and the firmware does nothing but wait for more.
    pub fn is_starved(&self) -> bool {
        self.link.starved.get()
    }

    /// What the device has sent since this or `flush` was last called, for a caller that passes it on itself.
    pub fn take_output(&self) -> Vec<u8> {
        self.link.output.take()
    }

    /// See `Port::offer`.
    pub fn offer(&self, bytes: &[u8]) -> io::Result<usize> {
        self.link.port.borrow_mut().offer(bytes)
    }

    /// Bytes for the device from the program itself, besides those of the port.
    pub fn give(&self, bytes: &[u8]) {
        self.link.port.borrow_mut().give(bytes);
    }

    pub fn flush(&self) -> io::Result<()> {
        let bytes = self.take_output();
        if bytes.is_empty() {
            return Ok(());
        }
        self.link.port.borrow_mut().write(&bytes)
    }
}

impl Link {
    fn avr(&self) -> *mut avr_t {
        // SAFETY: the UART stays allocated for the life of the program (here and below).
        unsafe { (*self.uart).io.avr }
    }

    fn receiver_enabled(&self) -> bool {
        unsafe { read_bits(self.avr(), &(*self.uart).rxen) != 0 }
    }

    fn receiver_is_empty(&self) -> bool {
        unsafe { (*self.uart).input.read == (*self.uart).input.write }
    }

    /// simavr counts a parity bit in every frame, used or not, and looks at the frame's format only when
    /// UBRR is written. So the duration is set here, each time before simavr uses it: ATmega328P data
    /// sheet, "USART", "Frame Formats" and "Internal Clock Generation".
    fn set_frame_duration(&self) {
        // SAFETY: see `avr`; the fields describe the device's own registers.
        unsafe {
            let avr = self.avr();
            let uart = &mut *self.uart;
            let size = read_bits(avr, &uart.ucsz) | read_bits(avr, &uart.ucsz2) << 2;
            let data_bits = match size {
                0..=3 => 5 + u64::from(size),
                7 => 9,
                _ => 8, // reserved
            };
            let parity_bits = match uart.r_ucsrc {
                0 => 0,
                control => u64::from(*(*avr).data.add(control as usize) & UPM_ENABLED != 0),
            };
            let stop_bits = 1 + u64::from(read_bits(avr, &uart.usbs));
            let divisor = u64::from(read_bits(avr, &uart.ubrrl)) | u64::from(read_bits(avr, &uart.ubrrh)) << 8;
            let samples = if read_bits(avr, &uart.u2x) != 0 { 8 } else { 16 };
            uart.cycles_per_byte = (1 + data_bits + parity_bits + stop_bits) * samples * (divisor + 1);
        }
    }

    fn receives_by_interrupt(&self) -> bool {
        unsafe { read_bits(self.avr(), &(*self.uart).rxc.enable) != 0 }
    }

    fn transmitter_is_idle(&self) -> bool {
        unsafe { read_bits(self.avr(), &(*self.uart).udrc.raised) != 0 }
    }

    fn is_busy_polling(&self) -> bool {
        let since_fed = unsafe { (*self.avr()).cycle }.saturating_sub(self.last_fed_cycle.get());
        since_fed > self.frequency && self.polls_since_fed.get() > POLLS_OF_THE_BUSY
    }

    /// Gives the receiver a byte, if there is one and the receiver is on.
    fn feed_one(&self) {
        if !self.receiver_enabled() {
            return;
        }
        let byte = self.port.borrow_mut().next_byte();
        if let Some(byte) = byte {
            self.set_frame_duration();
            self.polling.set(Polling::default());
            self.host_pauses.set(false);
            self.polls_since_fed.set(0);
            self.last_fed_cycle.set(unsafe { (*self.avr()).cycle });
            // SAFETY: simavr's documented way to give its UART a byte; it calls back `on_full` only.
            unsafe {
                simavr::avr_raise_irq(
                    (*self.uart).io.irq.add(simavr::UART_IRQ_INPUT as usize),
                    u32::from(byte),
                );
            }
        }
    }

    /// Makes the running call of simavr return, and the main loop look at this UART.
    fn return_soon(&self) {
        self.machine_signal.set(true);
        unsafe { (*self.avr()).run_cycle_count = 0 };
    }

    fn feed_all(&self) {
        self.receiver_full.set(false);
        while !self.receiver_full.get() && self.receiver_enabled() && self.port.borrow().has_byte() {
            self.feed_one();
        }
    }
}

unsafe extern "C" fn on_output(_irq: *mut simavr::avr_irq_t, value: u32, parameter: *mut c_void) {
    let link = &*(parameter as *const Link);
    link.set_frame_duration();
    link.output.borrow_mut().push(value as u8);
    link.polling.set(Polling::default());
}

unsafe extern "C" fn on_full(_irq: *mut simavr::avr_irq_t, value: u32, parameter: *mut c_void) {
    (*(parameter as *const Link)).receiver_full.set(value != 0);
}

/// simavr says so each time the firmware looks at an empty, enabled receiver.
unsafe extern "C" fn on_empty(_irq: *mut simavr::avr_irq_t, value: u32, parameter: *mut c_void) {
    let link = &*(parameter as *const Link);
    if value == 0 {
        return;
    }
    let avr = link.avr();
    let mut polling = link.polling.get();
    if polling.polls == 0 {
        polling.since = (*avr).cycle;
    }
    polling.polls += 1;
    link.polls_since_fed.set(link.polls_since_fed.get() + 1);
    let polled_for = (*avr).cycle.saturating_sub(polling.since);
    if link.receives_by_interrupt() {
        link.feed_all();
        return;
    }
    if link.transmitter_is_idle() {
        polling.with_idle_transmitter += 1;
        if polling.with_idle_transmitter >= POLLS_THAT_ASK {
            polling.with_idle_transmitter = 0;
            link.asks.set(true);
            link.return_soon();
        }
    }
    link.polling.set(polling);
    if polling.polls > POLLS_BEFORE_END && polled_for > link.frequency && !link.port.borrow_mut().poll() {
        link.starved.set(true);
        link.return_soon();
    }
}
