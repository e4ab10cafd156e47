//! The rules of arithmetic, logic and shifts.

use super::{flag_if, upwards, upwards16, Taint};
use crate::cpu::Cpu;
use crate::flags::{ARITHMETIC, C, H, LOGIC, N, S, SHIFT, V, Z};

/// What a two-operand instruction takes beside its first register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Register(usize),
    Constant(u8),
}

/// Of a result with these bits of taint: may it be zero for one secret and not for another? Not if a bit that does not
/// depend on a secret is set.
pub(super) fn zero_depends(result: u8, taint: u8) -> bool {
    taint != 0 && result & !taint == 0
}

fn and_taint(a: u8, a_taint: u8, b: u8, b_taint: u8) -> u8 {
    (a_taint | b_taint) & (a | a_taint) & (b | b_taint)
}

fn or_taint(a: u8, a_taint: u8, b: u8, b_taint: u8) -> u8 {
    (a_taint | b_taint) & (!a | a_taint) & (!b | b_taint)
}

/// The product of `known`, which depends on nothing, and of something that has `taint`.
fn product_taint(known: u8, taint: u8, is_signed: bool) -> u16 {
    if known == 0 {
        return 0;
    }
    if known.is_power_of_two() && !is_signed {
        return u16::from(taint) << known.trailing_zeros();
    }
    upwards16(u16::from(taint)) << known.trailing_zeros()
}

impl Taint {
    pub(super) fn multiply(&mut self, cpu: &Cpu, d: usize, r: usize, is_signed: bool, is_fractional: bool) {
        let (a, b) = (cpu.register(d), cpu.register(r));
        let (a_taint, b_taint) = (self.data[d], self.data[r]);
        let mut taint = match (a_taint, b_taint) {
            (0, 0) => 0,
            (0, taint) => product_taint(a, taint, is_signed),
            (taint, 0) => product_taint(b, taint, is_signed),
            _ => upwards16(u16::from(a_taint | b_taint)),
        };
        let carry = taint & 0x8000 != 0;
        if is_fractional {
            taint <<= 1;
        }
        self.set_word(0, taint);
        self.set_flags(Z | C, flag_if(Z, taint != 0) | flag_if(C, carry));
    }

    /// ADD and ADC; with one register twice, LSL and ROL.
    pub(super) fn add(&mut self, cpu: &Cpu, d: usize, r: usize, with_carry: bool) {
        let carry_in = with_carry && self.carry();
        let carry_value = u8::from(with_carry && cpu.flag(C));
        let (a, b) = (cpu.register(d), cpu.register(r));
        let before = self.data[d];
        let taint = if d == r {
            before << 1 | u8::from(carry_in)
        } else {
            upwards(before | self.data[r] | u8::from(carry_in))
        };
        let result = a.wrapping_add(b).wrapping_add(carry_value);
        let (carry, half) = if d == r {
            (before & 0x80 != 0, before & 0x08 != 0)
        } else {
            (taint != 0, taint & 0x0f != 0)
        };
        let negative = taint & 0x80 != 0;
        let flags = flag_if(C, carry)
            | flag_if(H, half)
            | flag_if(N, negative)
            | flag_if(V | S, carry || negative)
            | flag_if(Z, zero_depends(result, taint));
        self.data[d] = taint;
        self.set_flags(ARITHMETIC, flags);
    }

    /// SUB, SBC, CP, CPC and their forms with a constant.
    pub(super) fn subtract(&mut self, cpu: &Cpu, d: usize, operand: Operand, with_carry: bool, is_kept: bool) {
        let (b, b_taint) = match operand {
            Operand::Register(r) => (cpu.register(r), self.data[r]),
            Operand::Constant(constant) => (constant, 0),
        };
        let carry_in = with_carry && self.carry();
        let is_same = operand == Operand::Register(d);
        let a = cpu.register(d);
        let either = if is_same { 0 } else { self.data[d] | b_taint };
        // r - r - C is 0 or -1: all of it depends on the carry, and on nothing else.
        let taint = upwards(either | u8::from(carry_in));
        let result = a.wrapping_sub(b).wrapping_sub(u8::from(with_carry && cpu.flag(C)));
        let mut zero = zero_depends(result, taint);
        if !with_carry && (a ^ b) & !either != 0 {
            zero = false; // they differ in a bit that depends on nothing
        }
        if with_carry {
            // Z stays clear if it was.
            let is_surely_not_zero = result & !taint != 0;
            let was_surely_clear = self.flags & Z == 0 && !cpu.flag(Z);
            zero = !is_surely_not_zero && !was_surely_clear && (zero || self.flags & Z != 0);
        }
        let all = taint != 0;
        let flags = flag_if(C | N | V | S, all) | flag_if(H, taint & 0x0f != 0) | flag_if(Z, zero);
        if is_kept {
            self.data[d] = taint;
        }
        self.set_flags(ARITHMETIC, flags);
    }

    pub(super) fn logic_result(&mut self, d: usize, result: u8, taint: u8) {
        self.data[d] = taint;
        let flags = flag_if(N | S, taint & 0x80 != 0) | flag_if(Z, zero_depends(result, taint));
        self.set_flags(LOGIC, flags);
    }

    /// AND, EOR, OR, MOV.
    pub(super) fn logic(&mut self, cpu: &Cpu, d: usize, r: usize) {
        let (a, b) = (cpu.register(d), cpu.register(r));
        let (a_taint, b_taint) = (self.data[d], self.data[r]);
        match cpu.opcode >> 10 & 3 {
            0 => self.logic_result(d, a & b, and_taint(a, a_taint, b, b_taint)),
            1 if d == r => self.logic_result(d, 0, 0),
            1 => self.logic_result(d, a ^ b, a_taint | b_taint),
            2 => self.logic_result(d, a | b, or_taint(a, a_taint, b, b_taint)),
            _ => self.data[d] = b_taint,
        }
    }

    /// CPI, SBCI, SUBI, ORI, ANDI.
    pub(super) fn immediate(&mut self, cpu: &Cpu) {
        let opcode = cpu.opcode;
        let d = 16 + usize::from(opcode >> 4 & 0x0f);
        let constant = (opcode >> 4 & 0xf0 | opcode & 0x0f) as u8;
        let (a, taint) = (cpu.register(d), self.data[d]);
        match opcode >> 12 {
            3 => self.subtract(cpu, d, Operand::Constant(constant), false, false),
            4 => self.subtract(cpu, d, Operand::Constant(constant), true, true),
            5 => self.subtract(cpu, d, Operand::Constant(constant), false, true),
            6 => self.logic_result(d, a | constant, or_taint(a, taint, constant, 0)),
            _ => self.logic_result(d, a & constant, and_taint(a, taint, constant, 0)),
        }
    }

    /// INC, DEC.
    pub(super) fn count(&mut self, d: usize, result: u8) {
        let taint = upwards(self.data[d]);
        self.data[d] = taint;
        self.set_flags(
            LOGIC,
            flag_if(V | N | S, taint != 0) | flag_if(Z, zero_depends(result, taint)),
        );
    }

    /// ASR, LSR, ROR.
    pub(super) fn shift(&mut self, d: usize, result: u8, taint: u8) {
        let carry = self.data[d] & 1 != 0;
        let negative = taint & 0x80 != 0;
        self.data[d] = taint;
        let flags = flag_if(C, carry)
            | flag_if(N, negative)
            | flag_if(V | S, carry || negative)
            | flag_if(Z, zero_depends(result, taint));
        self.set_flags(SHIFT, flags);
    }

    /// ADIW, SBIW.
    pub(super) fn add_to_word(&mut self, cpu: &Cpu) {
        let opcode = cpu.opcode;
        let d = 24 + usize::from(opcode >> 4 & 3) * 2;
        let constant = opcode >> 2 & 0x30 | opcode & 0x0f;
        let value = cpu.word(d);
        let result = if opcode & 0x0100 == 0 {
            value.wrapping_add(constant)
        } else {
            value.wrapping_sub(constant)
        };
        let taint = upwards16(self.word(d));
        self.set_word(d, taint);
        let zero = taint != 0 && result & !taint == 0;
        self.set_flags(SHIFT, flag_if(C | N | V | S, taint != 0) | flag_if(Z, zero));
    }
}
