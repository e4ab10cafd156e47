//! The rules against simavr itself: an instruction is executed twice, from states that differ in tainted bits only.
//! Whatever then differs must be tainted, and whether the two go on to different addresses must have been reported.

use std::ffi::c_int;

use bancada_simavr::instructions::{decode_all, Kind};
use simavr_ffi as simavr;
use simavr_ffi::avr_t;

use crate::cpu::Cpu;
use crate::flags::{C, H, T, Z};
use crate::taint::{Leak, Taint};

extern "C" {
    fn avr_run_one(avr: *mut avr_t) -> u32;
}

const RETURN_ADDRESS_BYTES: u16 = 2;
const PC: u32 = 0x1000;
const RAM_ENDS: u16 = 0x08ff;
/// Where pointers and the stack pointer begin, so that whatever an instruction adds stays in RAM.
const POINTERS: [u16; 4] = [0x0300, 0x0400, 0x0500, 0x0700];
/// LDD and STD reach so far.
const NEAR: u16 = 64;
const SPL: usize = 0x5d;
const SREG: usize = 0x5f;
const GPIOR: [u16; 3] = [0x3e, 0x4a, 0x4b];

/// Xorshift, G. Marsaglia (2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn byte(&mut self) -> u8 {
        (self.next() >> 24) as u8
    }

    /// Nothing, a bit, some bits or everything.
    fn taint(&mut self) -> u8 {
        match self.next() >> 20 & 7 {
            0..=2 => 0,
            3 => 1 << (self.byte() & 7),
            4 | 5 => self.byte(),
            6 => self.byte() & self.byte(),
            _ => 0xff,
        }
    }
}

#[derive(Clone)]
struct State {
    data: Vec<u8>,
    sreg: [u8; 8],
}

struct Simulator {
    avr: *mut avr_t,
}

impl Simulator {
    fn new() -> Simulator {
        // SAFETY: plain calls of simavr's constructors.
        unsafe {
            let avr = simavr::avr_make_mcu_by_name(c"atmega328p".as_ptr());
            (*avr).frequency = 16_000_000;
            simavr::avr_init(avr);
            let mut random = Random(1);
            let flash = std::slice::from_raw_parts_mut((*avr).flash, PC as usize);
            flash.fill_with(|| random.byte());
            Simulator { avr }
        }
    }

    /// The state after one instruction, and the address that it leads to.
    fn run(&self, opcode: u16, second_word: u16, before: &State) -> (State, u32) {
        // SAFETY: flash and data are as large as the slices, and nothing else touches them.
        unsafe {
            let avr = self.avr;
            let flash = std::slice::from_raw_parts_mut((*avr).flash.add(PC as usize), 8);
            flash[..2].copy_from_slice(&opcode.to_le_bytes());
            flash[2..4].copy_from_slice(&second_word.to_le_bytes());
            flash[4..].fill(0);
            std::slice::from_raw_parts_mut((*avr).data, before.data.len()).copy_from_slice(&before.data);
            (*avr).sreg = before.sreg;
            (*avr).pc = PC;
            (*avr).state = simavr::cpu_Running as c_int;
            (*avr).run_cycle_limit = 1;
            (*avr).run_cycle_count = 1;
            let next = avr_run_one(avr);
            let data = std::slice::from_raw_parts((*avr).data, before.data.len()).to_vec();
            let state = State {
                data,
                sreg: (*avr).sreg,
            };
            (state, next)
        }
    }
}

/// Instructions that only the world outside can tell apart: sleep, watchdog, self-programming.
fn is_left_out(opcode: u16, kind: Kind) -> bool {
    let is_outside = matches!(opcode, 0x9588 | 0x9598 | 0x95a8 | 0x95e8 | 0x9519 | 0x9419 | 0x95d8);
    let is_elpm = opcode & 0xfe0e == 0x9006;
    kind == Kind::Invalid || is_outside || is_elpm
}

/// I/O addresses of IN, OUT, CBI, SBI, SBIC, SBIS: only of registers that are memory.
fn io_address(opcode: u16) -> Option<u16> {
    match opcode >> 8 {
        0xb0..=0xbf => Some(0x20 + (opcode >> 5 & 0x30 | opcode & 0x0f)),
        0x98..=0x9b => Some(0x20 + (opcode >> 3 & 0x1f)),
        _ => None,
    }
}

fn random_state(background: &[u8], random: &mut Random) -> (State, Taint, Vec<u8>, u8) {
    let mut state = State {
        data: background.to_vec(),
        sreg: std::array::from_fn(|_| random.byte() & 1),
    };
    let mut taint = Taint::new(RETURN_ADDRESS_BYTES);
    let mut tainted = vec![0; background.len()];
    for register in &mut state.data[..32] {
        *register = random.byte();
    }
    let pointers = [26, 28, 30, SPL];
    let near = POINTERS.iter().flat_map(|&base| base - 2..base + NEAR);
    for address in (0..32).chain(GPIOR).chain(near) {
        tainted[usize::from(address)] = random.taint();
    }
    for (register, base) in pointers.into_iter().zip(POINTERS) {
        state.data[register..register + 2].copy_from_slice(&base.to_le_bytes());
    }
    for pointer in [26, 28, 30] {
        // A pointer's low half alone, or none: then whatever it points to is RAM.
        tainted[pointer + 1] = 0;
        if random.byte() & 3 != 0 {
            tainted[pointer] = 0;
        }
    }
    let flags = random.taint() & 0x7f;
    taint.set(&tainted, flags);
    (state, taint, tainted, flags)
}

fn varied(state: &State, tainted: &[u8], flags: u8, random: &mut Random) -> State {
    let mut other = state.clone();
    for (value, taint) in other.data.iter_mut().zip(tainted) {
        *value ^= random.byte() & taint;
    }
    for (bit, value) in other.sreg.iter_mut().enumerate() {
        *value ^= (random.byte() & 1) & (flags >> bit & 1);
    }
    other
}

#[test]
fn what_differs_after_an_instruction_is_tainted() {
    let simulator = Simulator::new();
    let instructions = decode_all();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let background: Vec<u8> = (0..=RAM_ENDS).map(|_| random.byte()).collect();
    let mut executed = 0u64;
    for round in 0..4 {
        let mut opcode = 0u16;
        loop {
            let kind = instructions[usize::from(opcode)].kind;
            let io = io_address(opcode);
            let is_memory = io.is_none_or(|address| GPIOR.contains(&address) || usize::from(address) == SREG);
            // A pointer that an instruction overwrites while it uses it: undefined (Instruction Set Manual, "LD").
            if !is_left_out(opcode, kind) && is_memory && !overwrites_its_pointer(opcode) {
                check_one(&simulator, opcode, &background, &mut random);
                executed += 1;
            }
            opcode = opcode.wrapping_add(1);
            if opcode == 0 {
                break;
            }
        }
        assert!(executed > 50_000 * (round + 1), "{executed}");
    }
}

/// LD and ST with increment or decrement of the register's own pair.
fn overwrites_its_pointer(opcode: u16) -> bool {
    let pair = opcode >> 4 & 0x1e;
    match opcode & 0xfc0f {
        0x9001 | 0x9002 | 0x9005 => pair == 30,
        0x9009 | 0x900a => pair == 28,
        0x900d | 0x900e => pair == 26,
        _ => false,
    }
}

fn check_one(simulator: &Simulator, opcode: u16, background: &[u8], random: &mut Random) {
    let (state, mut taint, tainted, flags) = random_state(background, random);
    let second_word = POINTERS[usize::from(random.byte() & 3)] + u16::from(random.byte() & 0x1f);
    let other = varied(&state, &tainted, flags, random);
    let cpu = Cpu {
        opcode,
        data: &state.data,
        sreg: state.sreg,
        second_word,
    };
    let leak = taint.step(&cpu);
    let (after, next) = simulator.run(opcode, second_word, &state);
    let (other_after, other_next) = simulator.run(opcode, second_word, &other);
    if next != other_next {
        assert!(
            matches!(leak, Some(Leak::Branch | Leak::Jump)),
            "{opcode:#06x} goes to {next:#x} or {other_next:#x}, and is {leak:?}"
        );
    }
    for address in 0..background.len() {
        // SREG stands apart. The rules leave alone what a store to a secret address does not write
        // (docs/reference/audit.md).
        if address == SREG || (leak == Some(Leak::Store) && address >= 0x100) {
            continue;
        }
        let difference = after.data[address] ^ other_after.data[address];
        assert_eq!(difference & !taint.of(address), 0, "{opcode:#06x}: data {address:#x}");
    }
    for (bit, (one, another)) in after.sreg.iter().zip(&other_after.sreg).enumerate() {
        let is_tainted = taint.flags() >> bit & 1 != 0;
        assert!(one == another || is_tainted, "{opcode:#06x}: flag {bit}");
    }
}

fn step_once(opcode: u16, registers: &[(usize, u8, u8)], flags: u8) -> (Taint, Option<Leak>) {
    let mut data = vec![0; 0x900];
    let mut tainted = vec![0; 0x900];
    for &(register, value, taint) in registers {
        data[register] = value;
        tainted[register] = taint;
    }
    let mut taint = Taint::new(RETURN_ADDRESS_BYTES);
    taint.set(&tainted, flags);
    let cpu = Cpu {
        opcode,
        data: &data,
        sreg: [0; 8],
        second_word: 0,
    };
    let leak = taint.step(&cpu);
    (taint, leak)
}

#[test]
fn a_register_and_itself_depend_on_nothing() {
    let (after, _) = step_once(0x2700, &[(16, 0x5a, 0xff)], 0xff); // EOR r16, r16
    assert_eq!((after.of(16), after.flags() & Z), (0, 0));
    let (after, _) = step_once(0x1b00, &[(16, 0x5a, 0xff)], 0xff); // SUB r16, r16
    assert_eq!((after.of(16), after.flags() & (C | Z | H)), (0, 0));
    let (after, _) = step_once(0x0b00, &[(16, 0x5a, 0xff)], C); // SBC r16, r16: the carry alone
    assert_eq!(after.of(16), 0xff);
    let (after, _) = step_once(0x0b00, &[(16, 0x5a, 0xff)], 0);
    assert_eq!(after.of(16), 0);
}

#[test]
fn masks_and_shifts_are_exact() {
    let (after, _) = step_once(0x700f, &[(16, 0x5a, 0xff)], 0); // ANDI r16, 0x0f
    assert_eq!(after.of(16), 0x0f);
    let (after, _) = step_once(0x6f00, &[(16, 0x5a, 0xff)], 0); // ORI r16, 0xf0
    assert_eq!((after.of(16), after.flags() & Z), (0x0f, 0));
    let (after, _) = step_once(0x9502, &[(16, 0x5a, 0x0f)], 0); // SWAP r16
    assert_eq!(after.of(16), 0xf0);
    let (after, _) = step_once(0x9506, &[(16, 0x5a, 0x81)], 0); // LSR r16
    assert_eq!((after.of(16), after.flags() & C), (0x40, C));
    let (after, _) = step_once(0xfb05, &[(16, 0x5a, 0xdf)], 0xff); // BST r16, 5: the one bit of all that is not secret
    assert_eq!(after.flags() & T, 0);
}

#[test]
fn branches_are_reported_on_the_secret_bit_only() {
    assert_eq!(step_once(0xfd05, &[(16, 0, 0x20)], 0).1, Some(Leak::Branch)); // SBRC r16, 5
    assert_eq!(step_once(0xfd04, &[(16, 0, 0x20)], 0).1, None); // SBRC r16, 4
    assert_eq!(step_once(0xf009, &[], Z).1, Some(Leak::Branch)); // BREQ
    assert_eq!(step_once(0xf009, &[], !Z).1, None);
    assert_eq!(step_once(0x1301, &[(16, 1, 0xfe), (17, 0, 0)], 0).1, None); // CPSE: a bit that is not secret differs
    assert_eq!(step_once(0x1301, &[(16, 0, 0xfe), (17, 0, 0)], 0).1, Some(Leak::Branch));
}

#[test]
fn addresses_and_jumps_are_reported() {
    let pointer = [(30, 0, 0x10), (31, 3, 0)];
    assert_eq!(step_once(0x8100, &pointer, 0).1, Some(Leak::Load)); // LD r16, Z
    assert_eq!(step_once(0x8300, &pointer, 0).1, Some(Leak::Store)); // ST Z, r16
    assert_eq!(step_once(0x9104, &pointer, 0).1, Some(Leak::FlashLoad)); // LPM r16, Z
    assert_eq!(step_once(0x9409, &pointer, 0).1, Some(Leak::Jump)); // IJMP
    assert_eq!(step_once(0x9509, &pointer, 0).1, Some(Leak::Jump)); // ICALL
    assert_eq!(
        step_once(0x9508, &[(SPL, 0, 0), (SPL + 1, 3, 0), (0x301, 0, 1)], 0).1,
        Some(Leak::Jump)
    ); // RET
}
