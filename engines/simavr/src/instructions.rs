//! What kind of instruction an opcode is, for counting and for noticing opcodes that do not exist.
//!
//! Encodings: AVR Instruction Set Manual (Microchip DS40002198), chapter "Instruction Description".

/// Kinds of instruction that a region's report counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    Arithmetic,
    Multiply,
    Load,
    Store,
    Lpm,
    Branch,
    CallReturn,
    InputOutput,
    Other,
    /// No AVR instruction has this opcode.
    Invalid,
}

/// How many kinds a report can name (`Invalid` is never executed).
pub const REPORTED_KINDS: usize = Kind::Invalid as usize;

/// What an instruction does to the call depth and to the stack pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Effect {
    None,
    Call,
    Return,
    Push,
    /// `OUT SPL, Rr`: half of a new stack pointer.
    WriteSpLow,
    /// `OUT SPH, Rr`: the other half.
    WriteSpHigh,
}

#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub kind: Kind,
    pub effect: Effect,
}

/// `RCALL .+0` calls the next instruction: compilers use it to take two bytes of stack, and nothing
/// ever returns from it, so it is not counted as a call.
const RCALL_NEXT: u16 = 0xd000;

fn kind_of(opcode: u16) -> Kind {
    match opcode >> 12 {
        0x0 => match opcode {
            0x0000 => Kind::Other, // NOP
            0x0001..=0x00ff => Kind::Invalid,
            0x0100..=0x01ff => Kind::Arithmetic, // MOVW
            0x0200..=0x03ff => Kind::Multiply,   // MULS, MULSU, FMUL, FMULS, FMULSU
            _ => Kind::Arithmetic,               // CPC, SBC, ADD
        },
        0x1 if opcode & 0xfc00 == 0x1000 => Kind::Branch, // CPSE
        0x1..=0x7 | 0xe => Kind::Arithmetic,
        0x8 | 0xa => load_or_store(opcode), // LDD, STD
        0x9 => kind_of_group_9(opcode),
        0xb => Kind::InputOutput, // IN, OUT
        0xc => Kind::Branch,      // RJMP
        0xd => Kind::CallReturn,  // RCALL
        _ => match opcode & 0xfc08 {
            0xf808 | 0xfc08 => Kind::Invalid,
            0xf800 => Kind::Arithmetic, // BLD, BST
            _ => Kind::Branch,          // BRBS, BRBC, SBRC, SBRS
        },
    }
}

fn load_or_store(opcode: u16) -> Kind {
    if opcode & 0x0200 == 0 {
        Kind::Load
    } else {
        Kind::Store
    }
}

fn kind_of_group_9(opcode: u16) -> Kind {
    match opcode & 0xfe00 {
        0x9000 | 0x9200 => kind_of_indirect(opcode),
        0x9400 => kind_of_one_operand(opcode),
        0x9600 => Kind::Arithmetic, // ADIW, SBIW
        0x9800 | 0x9a00 => match opcode & 0x0100 {
            0 => Kind::InputOutput, // CBI, SBI
            _ => Kind::Branch,      // SBIC, SBIS
        },
        _ => Kind::Multiply, // MUL: 1001 11
    }
}

/// LD, ST, LDS, STS, LPM, ELPM, POP, PUSH: 1001 00sd dddd xxxx. XCH, LAS, LAC and LAT belong to the
/// XMEGA only.
fn kind_of_indirect(opcode: u16) -> Kind {
    let store = opcode & 0x0200 != 0;
    match opcode & 0x000f {
        0x4..=0x7 if store => Kind::Invalid,
        0x4..=0x7 => Kind::Lpm,
        0x3 | 0x8 | 0xb => Kind::Invalid,
        _ => load_or_store(opcode),
    }
}

/// 1001 010x xxxx xxxx: one-operand arithmetic, flags, JMP, CALL and the operand-less instructions.
fn kind_of_one_operand(opcode: u16) -> Kind {
    match opcode & 0x000f {
        0x0..=0x3 | 0x5..=0x7 | 0xa => Kind::Arithmetic,
        0xc | 0xd => Kind::Branch,     // JMP
        0xe | 0xf => Kind::CallReturn, // CALL
        0x8 => match opcode {
            0x9400..=0x94ff => Kind::Arithmetic,              // BSET, BCLR
            0x9508 | 0x9518 => Kind::CallReturn,              // RET, RETI
            0x95c8 | 0x95d8 => Kind::Lpm,                     // LPM, ELPM to r0
            0x9588 | 0x9598 | 0x95a8 | 0x95e8 => Kind::Other, // SLEEP, BREAK, WDR, SPM
            _ => Kind::Invalid,
        },
        0x9 => match opcode {
            0x9409 | 0x9419 => Kind::Branch,     // IJMP, EIJMP
            0x9509 | 0x9519 => Kind::CallReturn, // ICALL, EICALL
            _ => Kind::Invalid,
        },
        _ => Kind::Invalid,
    }
}

fn effect_of(opcode: u16) -> Effect {
    match opcode {
        RCALL_NEXT => Effect::Push,
        0xd001..=0xdfff | 0x9509 | 0x9519 => Effect::Call,
        0x9508 | 0x9518 => Effect::Return,
        _ => match opcode & 0xfe0f {
            0x940e | 0x940f => Effect::Call,
            0x920f => Effect::Push,
            0xbe0d => Effect::WriteSpLow,
            0xbe0e => Effect::WriteSpHigh,
            _ => Effect::None,
        },
    }
}

pub const OPCODES: usize = 1 << 16;

/// Every opcode decoded once, so that a step costs one look-up.
pub fn decode_all() -> Box<[Instruction; OPCODES]> {
    let table: Vec<Instruction> = (0..=u16::MAX)
        .map(|opcode| Instruction {
            kind: kind_of(opcode),
            effect: effect_of(opcode),
        })
        .collect();
    match table.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("there are {OPCODES} opcodes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    /// In GNU's disassembler but not in any ATmega: Instruction Set Manual, "Instruction Set Summary".
    const XMEGA_ONLY: [&str; 5] = ["xch", "las", "lac", "lat", "des"];

    fn expected_kind(mnemonic: &str, operands: &str) -> Kind {
        match mnemonic {
            ".word" => Kind::Invalid,
            _ if XMEGA_ONLY.contains(&mnemonic) => Kind::Invalid,
            "spm" if operands.contains("Z+") => Kind::Invalid,
            "nop" | "sleep" | "break" | "wdr" | "spm" => Kind::Other,
            "mul" | "muls" | "mulsu" | "fmul" | "fmuls" | "fmulsu" => Kind::Multiply,
            "lpm" | "elpm" => Kind::Lpm,
            "ld" | "ldd" | "lds" | "pop" => Kind::Load,
            "st" | "std" | "sts" | "push" => Kind::Store,
            "in" | "out" | "sbi" | "cbi" => Kind::InputOutput,
            "call" | "rcall" | "icall" | "eicall" | "ret" | "reti" => Kind::CallReturn,
            "jmp" | "rjmp" | "ijmp" | "eijmp" | "cpse" | "sbrc" | "sbrs" | "sbic" | "sbis" => Kind::Branch,
            _ if mnemonic.starts_with("br") => Kind::Branch,
            _ => Kind::Arithmetic,
        }
    }

    /// Every opcode, decoded by GNU's disassembler: each is followed by a zero word, which a two-word
    /// instruction takes as its second.
    #[test]
    fn every_opcode_is_of_the_kind_that_its_mnemonic_has() {
        let image: Vec<u8> = (0..=u16::MAX)
            .flat_map(|opcode| (u32::from(opcode)).to_le_bytes())
            .collect();
        let path = std::env::temp_dir().join(format!("bancada-opcodes-{}", std::process::id()));
        fs::write(&path, image).unwrap();
        let listing = Command::new("avr-objdump")
            .args(["-b", "binary", "-m", "avr:6", "-D", "-z"])
            .arg(&path)
            .output()
            .unwrap();
        fs::remove_file(&path).unwrap();
        let ours = decode_all();
        let mut compared = 0;
        for line in String::from_utf8(listing.stdout).unwrap().lines() {
            let mut columns = line.split('\t');
            let address = columns.next().and_then(|text| text.trim().strip_suffix(':'));
            let Some(address) = address.and_then(|text| u32::from_str_radix(text, 16).ok()) else {
                continue;
            };
            if address % 4 != 0 {
                continue;
            }
            let mnemonic = columns.nth(1).unwrap();
            let operands = columns.next().unwrap_or("");
            let opcode = (address / 4) as usize;
            assert_eq!(
                ours[opcode].kind,
                expected_kind(mnemonic, operands),
                "{opcode:#06x} {mnemonic} {operands}"
            );
            compared += 1;
        }
        assert_eq!(compared, OPCODES);
    }
}
