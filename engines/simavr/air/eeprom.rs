//! EEPROM that takes its time: simavr writes a byte at once, silicon in 3.4 ms, in which EEPE stays set, and in which a
//! failing supply leaves anything in the byte. ATmega328P data sheet, "EEPROM Data Memory" and "EECR".

use std::cell::{Cell, RefCell};
use std::ffi::c_void;

use bancada_simavr::machine::Machine;
use bancada_simavr::random::Random;
use simavr_ffi as simavr;
use simavr_ffi::{avr_eeprom_t, avr_t};

const EERE: u8 = 1 << 0;
const EEPE: u8 = 1 << 1;
const EEPM: u8 = 3 << 4;

/// simavr's own figure for the interrupt "EEPROM ready".
const WRITE_US: u64 = 3400;
pub const WRITE_NS: u64 = WRITE_US * 1000;

#[derive(Clone, Copy)]
pub struct Write {
    pub address: u16,
    pub before: u8,
    pub value: u8,
}

/// Shared with simavr's callback.
struct State {
    peripheral: *mut avr_eeprom_t,
    write_cycles: u64,
    contents: RefCell<Vec<u8>>,
    writes: RefCell<Vec<Write>>,
    /// The byte being written, and when that ends by simavr's count.
    under_way: Cell<Option<(Write, u64)>>,
    complaint: Cell<Option<&'static str>>,
}

pub struct Eeprom {
    state: &'static State,
    /// Writes of each cell in this run.
    pub wear: Vec<u64>,
}

impl Eeprom {
    pub fn connect(machine: &Machine, frequency: u32, contents: Option<Vec<u8>>) -> Result<Eeprom, String> {
        let peripheral = *machine
            .peripherals("eeprom")
            .first()
            .ok_or("this microcontroller has no EEPROM in simavr")? as *mut avr_eeprom_t;
        // SAFETY: simavr's peripherals of kind "eeprom" begin an avr_eeprom_t, which stays allocated, as `state` does.
        unsafe {
            let size = usize::from((*peripheral).size);
            let cells = std::slice::from_raw_parts_mut((*peripheral).eeprom, size);
            if let Some(contents) = contents {
                if contents.len() > size {
                    return Err(format!(
                        "the EEPROM image has {} bytes, the EEPROM {size}",
                        contents.len()
                    ));
                }
                cells[..contents.len()].copy_from_slice(&contents);
            }
            let state: &'static State = Box::leak(Box::new(State {
                peripheral,
                write_cycles: u64::from(frequency) * WRITE_US / 1_000_000,
                contents: RefCell::new(cells.to_vec()),
                writes: RefCell::default(),
                under_way: Cell::default(),
                complaint: Cell::default(),
            }));
            let parameter = state as *const State as *mut c_void;
            simavr::avr_register_io_write(
                machine.raw(),
                u16::from((*peripheral).r_eecr),
                Some(on_control_write),
                parameter,
            );
            Ok(Eeprom {
                state,
                wear: vec![0; size],
            })
        }
    }

    pub fn contents(&self) -> Vec<u8> {
        self.state.contents.borrow().clone()
    }

    /// Writes begun since the last call.
    pub fn take_writes(&mut self) -> Vec<Write> {
        let writes = self.state.writes.take();
        for write in &writes {
            self.wear[usize::from(write.address)] += 1;
        }
        writes
    }

    pub fn take_complaint(&self) -> Option<&'static str> {
        self.state.complaint.take()
    }

    /// By simavr's own count of cycles.
    pub fn write_ends(&self) -> Option<u64> {
        self.state.under_way.get().map(|(_, end)| end)
    }

    pub fn end_write(&self) {
        self.state.under_way.set(None);
        self.state.set_busy(false);
    }

    /// A reset. Answers the write that a failing supply spoiled: any bits may be in the byte then. Otherwise the write
    /// goes on (`cycles` is what simavr's count was).
    pub fn reset(&self, cycles: u64, supply_failed: bool, random: &mut Random) -> Option<Write> {
        let (mut write, end) = self.state.under_way.take()?;
        if supply_failed {
            write.value = random.next_u64() as u8;
            self.state.store(write);
            return Some(write);
        }
        self.state.under_way.set(Some((write, end.saturating_sub(cycles))));
        self.state.set_busy(true);
        None
    }
}

impl State {
    fn store(&self, write: Write) {
        self.contents.borrow_mut()[usize::from(write.address)] = write.value;
        // SAFETY: the address was taken modulo the EEPROM's size.
        unsafe { *(*self.peripheral).eeprom.add(usize::from(write.address)) = write.value };
    }

    fn set_busy(&self, busy: bool) {
        // SAFETY: EECR lies inside the allocated data space.
        unsafe {
            let avr = (*self.peripheral).io.avr;
            let control = (*avr).data.add(usize::from((*self.peripheral).r_eecr));
            *control = if busy { *control | EEPE } else { *control & !EEPE };
        }
    }

    /// simavr has accepted a write if it has just set its timer for the end.
    unsafe fn write_was_accepted(&self, avr: *const avr_t) -> bool {
        let end = (*avr).cycle + self.write_cycles;
        let mut timer = (*avr).cycle_timers.timer;
        while !timer.is_null() {
            if (*timer).param as *mut avr_eeprom_t == self.peripheral && (*timer).when == end {
                return true;
            }
            timer = (*timer).next;
        }
        false
    }
}

/// simavr's own handler has run before this one.
unsafe extern "C" fn on_control_write(avr: *mut avr_t, _address: u16, value: u8, parameter: *mut c_void) {
    let state = &*(parameter as *const State);
    if value & EEPE != 0 && state.write_was_accepted(avr) {
        let peripheral = &*state.peripheral;
        let register = |address: u8| u16::from(*(*avr).data.add(usize::from(address)));
        let address = (register(peripheral.r_eearl) | register(peripheral.r_eearh) << 8) & (peripheral.size - 1);
        let before = state.contents.borrow()[usize::from(address)];
        let value_written = register(peripheral.r_eedr) as u8;
        if state.under_way.get().is_some() {
            state
                .complaint
                .set(Some("an EEPROM write begins while another is under way"));
        }
        if value & EEPM != 0 {
            state
                .complaint
                .set(Some("EEPROM: only 'erase and write in one operation' is emulated"));
        }
        let write = Write {
            address,
            before,
            value: value_written,
        };
        state.contents.borrow_mut()[usize::from(address)] = value_written;
        state.writes.borrow_mut().push(write);
        state.under_way.set(Some((write, (*avr).cycle + state.write_cycles)));
        (*avr).run_cycle_count = 0; // the caller has to know when the write ends
    }
    if state.under_way.get().is_some() {
        if value & EERE != 0 {
            state.complaint.set(Some("EEPROM is read while a write is under way"));
        }
        state.set_busy(true);
    }
}
