//! Flash that a bootloader writes, as on silicon: a page takes its time, its section cannot be read meanwhile, and a
//! supply that fails leaves some bits of the page moved and others not. simavr does all of it at once. ATmega328P data
//! sheet, "Self-Programming the Flash".

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

use bancada_simavr::machine::Machine;
use bancada_simavr::random::Random;
use simavr_ffi as simavr;
use simavr_ffi::{avr_cycle_count_t, avr_flash_t, avr_io_t, avr_regbit_t, avr_t};

/// AVR_IOCTL_DEF('f','s','p','m') and ('f','l','p','m'): macros, so the bindings lack them.
const IOCTL_SPM: u32 = u32::from_be_bytes(*b"fspm");
const IOCTL_LPM: u32 = u32::from_be_bytes(*b"flpm");

const Z_LOW: usize = 30;
/// RWWSRE in SPMCSR.
const RWWSRE: u8 = 1 << 4;
/// Erasing or writing a page takes 3.7 to 4.5 ms.
const OPERATION_CYCLES: avr_cycle_count_t = 64_000;

/// When the supply fails, of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// It was begun, and no bit has moved.
    Begun,
    Torn,
    Done,
}

struct Shared {
    peripheral: *mut avr_flash_t,
    original: unsafe extern "C" fn(*mut avr_io_t, u32, *mut c_void) -> c_int,
    boot_address: u32,
    operations: Cell<u64>,
    /// At this operation.
    cut: Cell<Option<(u64, Cut, u64)>>,
    has_power: Cell<bool>,
    /// An operation is under way.
    busy: Cell<bool>,
    /// The read-while-write section cannot be read.
    unreadable: Cell<bool>,
    fault: Cell<Option<&'static str>>,
}

pub struct Flash {
    shared: &'static Shared,
}

/// simavr gives its callback the peripheral only. There is one device in this program.
static mut SHARED: *const Shared = ptr::null();

impl Flash {
    pub fn connect(machine: &Machine, boot_address: u32) -> Result<Flash, String> {
        let peripheral = *machine
            .peripherals("flash")
            .first()
            .ok_or("this microcontroller cannot write its flash in simavr")?
            as *mut avr_flash_t;
        // SAFETY: simavr's peripherals of kind "flash" begin an avr_flash_t, which stays allocated, as `shared` does.
        unsafe {
            let original = (*peripheral).io.ioctl.ok_or("simavr's flash takes no commands")?;
            let shared: &'static Shared = Box::leak(Box::new(Shared {
                peripheral,
                original,
                boot_address,
                operations: Cell::new(0),
                cut: Cell::new(None),
                has_power: Cell::new(true),
                busy: Cell::new(false),
                unreadable: Cell::new(false),
                fault: Cell::new(None),
            }));
            SHARED = shared;
            (*peripheral).io.ioctl = Some(on_command);
            Ok(Flash { shared })
        }
    }

    /// The supply fails at this operation from now on, the next one being 1.
    pub fn cut(&self, operations: u64, how: Cut, seed: u64) {
        let at = self.shared.operations.get() + operations;
        self.shared.cut.set((operations > 0).then_some((at, how, seed)));
    }

    pub fn power_on(&self) {
        self.shared.has_power.set(true);
    }

    pub fn reset(&self) {
        self.shared.busy.set(false);
        self.shared.unreadable.set(false);
    }

    pub fn has_power(&self) -> bool {
        self.shared.has_power.get()
    }

    pub fn operations(&self) -> u64 {
        self.shared.operations.get()
    }

    pub fn fault(&self) -> Option<&'static str> {
        self.shared.fault.get()
    }
}

impl Shared {
    unsafe fn avr(&self) -> *mut avr_t {
        (*self.peripheral).io.avr
    }

    unsafe fn bit(&self, bit: &avr_regbit_t) -> bool {
        *(*self.avr()).data.add(bit.reg() as usize) >> bit.bit() & 1 != 0
    }

    unsafe fn complain(&self, what: &'static str) {
        self.fault.set(Some(what));
        (*self.avr()).run_cycle_count = 0;
    }

    unsafe fn address(&self) -> u32 {
        let data = (*self.avr()).data;
        u32::from(*data.add(Z_LOW)) | u32::from(*data.add(Z_LOW + 1)) << 8
    }

    /// SPM, which does what SPMCSR says.
    unsafe fn store(&self, io: *mut avr_io_t, parameter: *mut c_void) -> c_int {
        let flash = &*self.peripheral;
        let avr = self.avr();
        let control = *(*avr).data.add(usize::from(flash.r_spm));
        if (*avr).pc < self.boot_address {
            self.complain("SPM outside the bootloader");
        }
        if self.busy.get() {
            self.complain("SPM while a page is erased or written");
        }
        let (erases, writes) = (self.bit(&flash.pgers), self.bit(&flash.pgwrt));
        if !self.bit(&flash.selfprgen) || !(erases || writes) {
            if self.bit(&flash.selfprgen) && control & RWWSRE != 0 {
                self.unreadable.set(false);
            }
            return (self.original)(io, IOCTL_SPM, parameter);
        }
        let page_bytes = usize::from(flash.spm_pagesize);
        let address = self.address() as usize & !(page_bytes - 1);
        if address >= self.boot_address as usize {
            self.complain("the bootloader writes into its own section");
            return 0;
        }
        let page = std::slice::from_raw_parts_mut((*avr).flash.add(address), page_bytes);
        let before = page.to_vec();
        let result = (self.original)(io, IOCTL_SPM, parameter);
        // Writing takes bits from 1 to 0 and never back, erasing the other way.
        for (cell, old) in page.iter_mut().zip(&before) {
            *cell = if erases { 0xff } else { *cell & old };
        }
        self.operations.set(self.operations.get() + 1);
        if let Some((_, how, seed)) = self.cut.get().filter(|cut| cut.0 == self.operations.get()) {
            self.fail_supply(page, &before, how, seed);
        }
        self.unreadable.set(true);
        self.busy.set(true);
        *(*avr).data.add(flash.selfprgen.reg() as usize) |= 1 << flash.selfprgen.bit();
        simavr::avr_cycle_timer_register(
            avr,
            OPERATION_CYCLES,
            Some(on_operation_end),
            self as *const Shared as *mut c_void,
        );
        result
    }

    unsafe fn fail_supply(&self, page: &mut [u8], before: &[u8], how: Cut, seed: u64) {
        let mut random = Random::new(seed);
        // Of the bits that have to move, none, some at the beginning, or any: silicon promises nothing.
        let share = random.unit();
        for (cell, old) in page.iter_mut().zip(before) {
            let moved = (0..8).fold(0, |bits, bit| bits | u8::from(random.unit() < share) << bit);
            *cell = match how {
                Cut::Begun => *old,
                Cut::Torn => old ^ ((*cell ^ old) & moved),
                Cut::Done => *cell,
            };
        }
        self.cut.set(None);
        self.has_power.set(false);
        (*self.avr()).run_cycle_count = 0;
    }
}

unsafe extern "C" fn on_command(io: *mut avr_io_t, command: u32, parameter: *mut c_void) -> c_int {
    // SAFETY: set before the callback is.
    let shared = unsafe { &*SHARED };
    match command {
        IOCTL_SPM => shared.store(io, parameter),
        IOCTL_LPM => {
            if shared.unreadable.get() && shared.address() < shared.boot_address {
                shared.complain("flash is read while its section cannot be read");
            }
            (shared.original)(io, command, parameter)
        }
        _ => (shared.original)(io, command, parameter),
    }
}

unsafe extern "C" fn on_operation_end(
    avr: *mut avr_t,
    _when: avr_cycle_count_t,
    parameter: *mut c_void,
) -> avr_cycle_count_t {
    let shared = &*(parameter as *const Shared);
    let enable = &(*shared.peripheral).selfprgen;
    *(*avr).data.add(enable.reg() as usize) &= !(1 << enable.bit());
    shared.busy.set(false);
    0
}
