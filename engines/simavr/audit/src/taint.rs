//! Which bits of the machine depend on a secret: one bit of taint for each bit of registers, flags and RAM, carried
//! along by each instruction as its description in the AVR Instruction Set Manual (Microchip DS40002198) says that its
//! result depends on its operands.
//!
//! The rules are exact for moves, logic and shifts, and on the safe side for sums and products: a bit of a sum depends
//! on every bit of the operands below it.

mod arithmetic;

use crate::cpu::Cpu;
use crate::flags::{ARITHMETIC, C, H, N, S, T, V, Z};

use arithmetic::{zero_depends, Operand};

/// What in an instruction depends on a secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leak {
    /// Whether a branch is taken or an instruction skipped.
    Branch,
    /// The address of a load.
    Load,
    /// The address of a store.
    Store,
    /// The address of a load from flash.
    FlashLoad,
    /// Where a jump, a call or a return goes.
    Jump,
}

/// SPL, SPH and SREG, and the three general purpose I/O registers, which are memory: ATmega328P and ATmega2560 data
/// sheets, "Register Summary". What is read from other I/O registers comes from outside.
const SPL: usize = 0x5d;
const SPH: usize = 0x5e;
const SREG: usize = 0x5f;
const GENERAL_PURPOSE_IO: [usize; 3] = [0x3e, 0x4a, 0x4b];
const IO_OFFSET: usize = 0x20;
const EXTENDED_IO_ENDS: usize = 0x100;
const REGISTERS: usize = 32;

const X: usize = 26;
const Y: usize = 28;
const Z_POINTER: usize = 30;

const DATA_SPACE: usize = 1 << 16;
const ALL: u8 = 0xff;

pub struct Taint {
    /// The data space: registers, I/O, RAM.
    data: Box<[u8]>,
    flags: u8,
    return_address_bytes: u16,
}

/// Every bit from the lowest one that is set.
fn upwards(bits: u8) -> u8 {
    bits | bits.wrapping_neg()
}

fn upwards16(bits: u16) -> u16 {
    bits | bits.wrapping_neg()
}

/// The whole byte or nothing.
fn all_if(depends: bool) -> u8 {
    if depends {
        ALL
    } else {
        0
    }
}

fn flag_if(flag: u8, depends: bool) -> u8 {
    if depends {
        flag
    } else {
        0
    }
}

impl Taint {
    pub fn new(return_address_bytes: u16) -> Taint {
        Taint {
            data: vec![0; DATA_SPACE].into_boxed_slice(),
            flags: 0,
            return_address_bytes,
        }
    }

    /// Every bit of these bytes is a secret.
    pub fn mark(&mut self, address: u16, length: u16) {
        let begin = usize::from(address);
        let end = (begin + usize::from(length)).min(DATA_SPACE);
        self.data[begin..end].fill(ALL);
    }

    /// An interrupt was entered: the return address that it pushed is not secret.
    pub fn pushed(&mut self, sp_before: u16, sp_after: u16) {
        for address in sp_after..sp_before {
            self.data[usize::from(address) + 1] = 0;
        }
    }

    #[cfg(test)]
    pub fn set(&mut self, data: &[u8], flags: u8) {
        self.data[..data.len()].copy_from_slice(data);
        self.flags = flags;
    }

    #[cfg(test)]
    pub fn of(&self, address: usize) -> u8 {
        self.data[address]
    }

    #[cfg(test)]
    pub fn flags(&self) -> u8 {
        self.flags
    }

    fn word(&self, register: usize) -> u16 {
        u16::from_le_bytes([self.data[register], self.data[register + 1]])
    }

    fn set_word(&mut self, register: usize, taint: u16) {
        [self.data[register], self.data[register + 1]] = taint.to_le_bytes();
    }

    fn set_flags(&mut self, which: u8, taint: u8) {
        self.flags = self.flags & !which | taint & which;
    }

    fn carry(&self) -> bool {
        self.flags & C != 0
    }

    fn load(&self, address: u16) -> u8 {
        match usize::from(address) {
            SREG => self.flags,
            address if !(REGISTERS..EXTENDED_IO_ENDS).contains(&address) || is_kept(address) => self.data[address],
            _ => 0,
        }
    }

    fn store(&mut self, address: u16, taint: u8) {
        match usize::from(address) {
            SREG => self.flags = taint,
            address if !(REGISTERS..EXTENDED_IO_ENDS).contains(&address) || is_kept(address) => {
                self.data[address] = taint
            }
            _ => {}
        }
    }

    /// Carries taint through the instruction that the machine is about to execute.
    #[inline(always)]
    pub fn step(&mut self, cpu: &Cpu) -> Option<Leak> {
        let opcode = cpu.opcode;
        let d = usize::from(opcode >> 4 & 0x1f);
        let r = usize::from(opcode >> 5 & 0x10 | opcode & 0x0f);
        match opcode >> 12 {
            0x0 if opcode < 0x0400 => self.small_group(cpu),
            0x0 | 0x1 => match opcode >> 10 {
                1 => self.subtract(cpu, d, Operand::Register(r), true, false),
                2 => self.subtract(cpu, d, Operand::Register(r), true, true),
                3 => self.add(cpu, d, r, false),
                4 => return self.compare_and_skip(cpu, d, r),
                5 => self.subtract(cpu, d, Operand::Register(r), false, false),
                6 => self.subtract(cpu, d, Operand::Register(r), false, true),
                _ => self.add(cpu, d, r, true),
            },
            0x2 => self.logic(cpu, d, r),
            0x3..=0x7 => self.immediate(cpu),
            0x8 | 0xa => return self.displaced(cpu, d),
            0x9 => return self.group_9(cpu, d),
            0xb => self.input_or_output(opcode, d),
            0xc => {}
            0xd => return self.call(cpu),
            0xe => self.data[16 + (d & 0x0f)] = 0, // LDI
            _ => return self.group_f(opcode, d),
        }
        None
    }

    /// NOP, MOVW, MULS, MULSU, FMUL, FMULS, FMULSU.
    fn small_group(&mut self, cpu: &Cpu) {
        let opcode = usize::from(cpu.opcode);
        match opcode >> 8 {
            1 => {
                let taint = self.word((opcode & 0x0f) * 2);
                self.set_word((opcode >> 4 & 0x0f) * 2, taint);
            }
            2 => self.multiply(cpu, 16 + (opcode >> 4 & 0x0f), 16 + (opcode & 0x0f), true, false),
            3 => {
                let is_fractional = opcode & 0x88 != 0;
                let is_signed = opcode & 0x88 != 0x08;
                self.multiply(cpu, 16 + (opcode >> 4 & 7), 16 + (opcode & 7), is_signed, is_fractional);
            }
            _ => {}
        }
    }

    fn compare_and_skip(&mut self, cpu: &Cpu, d: usize, r: usize) -> Option<Leak> {
        if d == r {
            return None;
        }
        let taint = self.data[d] | self.data[r];
        let differ_surely = (cpu.register(d) ^ cpu.register(r)) & !taint != 0;
        (taint != 0 && !differ_surely).then_some(Leak::Branch)
    }

    /// LDD and STD.
    fn displaced(&mut self, cpu: &Cpu, d: usize) -> Option<Leak> {
        let opcode = cpu.opcode;
        let displacement = opcode & 0x07 | opcode >> 7 & 0x18 | opcode >> 8 & 0x20;
        let pointer = if opcode & 0x08 == 0 { Z_POINTER } else { Y };
        let address = cpu.word(pointer).wrapping_add(displacement);
        self.access(opcode & 0x0200 != 0, d, address, self.word(pointer) != 0)
    }

    /// A load into register `d` or a store from it, at an address that depends on a secret or not.
    fn access(&mut self, is_store: bool, d: usize, address: u16, depends: bool) -> Option<Leak> {
        if is_store {
            self.store(address, self.data[d] | all_if(depends));
            depends.then_some(Leak::Store)
        } else {
            self.data[d] = self.load(address) | all_if(depends);
            depends.then_some(Leak::Load)
        }
    }

    fn group_9(&mut self, cpu: &Cpu, d: usize) -> Option<Leak> {
        let opcode = cpu.opcode;
        match opcode & 0xfe00 {
            0x9000 | 0x9200 => return self.indirect(cpu, d),
            0x9400 => return self.one_operand(cpu, d),
            0x9600 => self.add_to_word(cpu),
            0x9800 | 0x9a00 => return self.io_bit(opcode),
            _ => {
                let r = usize::from(opcode >> 5 & 0x10 | opcode & 0x0f);
                self.multiply(cpu, d, r, false, false);
            }
        }
        None
    }

    /// LD, ST, LDS, STS, LPM, ELPM, PUSH, POP.
    fn indirect(&mut self, cpu: &Cpu, d: usize) -> Option<Leak> {
        let is_store = cpu.opcode & 0x0200 != 0;
        let (pointer, before, after) = match cpu.opcode & 0x0f {
            0x0 => return self.access(is_store, d, cpu.second_word(), false),
            0x1 => (Z_POINTER, 0, 1),
            0x2 => (Z_POINTER, 1, 0),
            0x9 => (Y, 0, 1),
            0xa => (Y, 1, 0),
            0xc => (X, 0, 0),
            0xd => (X, 0, 1),
            0xe => (X, 1, 0),
            0xf => {
                let address = cpu.sp().wrapping_add(u16::from(!is_store));
                return self.access(is_store, d, address, self.data[SPL] | self.data[SPH] != 0);
            }
            _ => return self.load_from_flash(d, cpu.opcode & 1 != 0),
        };
        let depends = self.word(pointer) != 0;
        let leak = self.access(is_store, d, cpu.word(pointer).wrapping_sub(before), depends);
        if before | after != 0 {
            self.set_word(pointer, upwards16(self.word(pointer)));
        }
        leak
    }

    fn load_from_flash(&mut self, d: usize, increments: bool) -> Option<Leak> {
        let depends = self.word(Z_POINTER) != 0;
        self.data[d] = all_if(depends);
        if increments {
            self.set_word(Z_POINTER, upwards16(self.word(Z_POINTER)));
        }
        depends.then_some(Leak::FlashLoad)
    }

    /// 1001 010x xxxx xxxx.
    fn one_operand(&mut self, cpu: &Cpu, d: usize) -> Option<Leak> {
        let opcode = cpu.opcode;
        let taint = self.data[d];
        let value = cpu.register(d);
        match opcode & 0x0f {
            0x0 => {
                self.logic_result(d, !value, taint); // COM
                self.set_flags(C, 0);
            }
            0x1 => {
                let result = upwards(taint);
                self.data[d] = result;
                let zero = flag_if(Z, zero_depends(value, taint));
                let all = flag_if(C | N | V | S, taint != 0);
                self.set_flags(ARITHMETIC, all | zero | flag_if(H, result & 0x0f != 0));
            }
            0x2 => self.data[d] = taint.rotate_left(4), // SWAP
            0x3 => self.count(d, value.wrapping_add(1)),
            0xa => self.count(d, value.wrapping_sub(1)),
            0x5 => self.shift(d, value >> 1 | value & 0x80, taint >> 1 | taint & 0x80),
            0x6 => self.shift(d, value >> 1, taint >> 1),
            0x7 => {
                let carry = u8::from(cpu.flag(C)) << 7;
                self.shift(d, value >> 1 | carry, taint >> 1 | u8::from(self.carry()) << 7);
            }
            0x8 => match opcode {
                0x9400..=0x94ff => self.set_flags(1 << (opcode >> 4 & 7), 0), // BSET, BCLR
                0x9508 | 0x9518 => return self.ret(cpu),
                0x95c8 | 0x95d8 => return self.load_from_flash(0, false),
                _ => {}
            },
            0x9 => {
                let leak = (self.word(Z_POINTER) != 0).then_some(Leak::Jump);
                if opcode & 0x0100 != 0 {
                    self.push_return_address(cpu);
                }
                return leak;
            }
            0xe | 0xf => return self.call(cpu),
            _ => {}
        }
        None
    }

    /// CBI, SBIC, SBI, SBIS.
    fn io_bit(&mut self, opcode: u16) -> Option<Leak> {
        let address = IO_OFFSET + usize::from(opcode >> 3 & 0x1f);
        let bit = 1u8 << (opcode & 7);
        if opcode & 0x0100 == 0 {
            self.data[address] &= !bit;
            return None;
        }
        (self.load(address as u16) & bit != 0).then_some(Leak::Branch)
    }

    fn input_or_output(&mut self, opcode: u16, d: usize) {
        let address = IO_OFFSET as u16 + (opcode >> 5 & 0x30 | opcode & 0x0f);
        if opcode & 0x0800 == 0 {
            self.data[d] = self.load(address);
        } else {
            self.store(address, self.data[d]);
        }
    }

    /// BRBS, BRBC, BLD, BST, SBRC, SBRS.
    fn group_f(&mut self, opcode: u16, d: usize) -> Option<Leak> {
        let bit = 1u8 << (opcode & 7);
        match opcode >> 9 & 7 {
            0..=3 => return (self.flags & bit != 0).then_some(Leak::Branch),
            4 => self.data[d] = self.data[d] & !bit | flag_if(bit, self.flags & T != 0),
            5 => self.set_flags(T, flag_if(T, self.data[d] & bit != 0)),
            _ => return (self.data[d] & bit != 0).then_some(Leak::Branch),
        }
        None
    }

    fn call(&mut self, cpu: &Cpu) -> Option<Leak> {
        let depends = self.data[SPL] | self.data[SPH] != 0;
        self.push_return_address(cpu);
        depends.then_some(Leak::Store)
    }

    fn push_return_address(&mut self, cpu: &Cpu) {
        self.pushed(cpu.sp(), cpu.sp().saturating_sub(self.return_address_bytes));
    }

    fn ret(&mut self, cpu: &Cpu) -> Option<Leak> {
        let sp = cpu.sp();
        let bytes = 1..=self.return_address_bytes;
        let depends = bytes.into_iter().any(|at| self.load(sp.wrapping_add(at)) != 0);
        depends.then_some(Leak::Jump)
    }
}

fn is_kept(address: usize) -> bool {
    address == SPL || address == SPH || GENERAL_PURPOSE_IO.contains(&address)
}
