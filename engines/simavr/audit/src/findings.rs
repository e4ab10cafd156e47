//! What was found in one region: each place once, with how often it was executed.

use std::collections::BTreeMap;

use bancada_simavr::firmware::Firmware;
use bancada_simavr::instructions::{Instruction, Kind};
use serde::Serialize;

use crate::taint::Leak;

/// So many callers tell which call of a shared routine it was.
pub const CALLERS: usize = 6;

/// Words of ADIW and SBIW, the only arithmetic of two cycles: Instruction Set Manual, "Instruction Set Summary".
const WORD_ARITHMETIC_MASK: u16 = 0xfe00;
const WORD_ARITHMETIC: u16 = 0x9600;

const NOP: u16 = 0x0000;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub pc: u32,
    pub kind: &'static str,
    /// Where the functions around were called, the innermost first.
    pub callers: Vec<u32>,
}

#[derive(Serialize)]
pub struct Found<'a> {
    #[serde(flatten)]
    place: Place,
    symbol: Option<&'a str>,
    count: u64,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "secrets")]
pub struct Report<'a> {
    found: Vec<Found<'a>>,
    instructions: u64,
}

#[derive(Default)]
pub struct Findings {
    counts: BTreeMap<Place, u64>,
    pub instructions: u64,
}

impl Findings {
    pub fn add(&mut self, place: Place) {
        *self.counts.entry(place).or_insert(0) += 1;
    }

    /// What was found since the last report.
    pub fn report<'a>(&mut self, firmware: &'a Firmware) -> Report<'a> {
        let found = std::mem::take(&mut self.counts)
            .into_iter()
            .map(|(place, count)| Found {
                symbol: firmware.function_name(place.pc),
                place,
                count,
            })
            .collect();
        Report {
            found,
            instructions: std::mem::take(&mut self.instructions),
        }
    }
}

/// The word of the report for a leak; `skipped` is the instruction after a branch, and its opcode.
pub fn kind(leak: Leak, opcode: u16, skipped: (Instruction, u16)) -> &'static str {
    match leak {
        Leak::Branch if skips_one_word(opcode) && takes_one_cycle(skipped) => "even-branch",
        Leak::Branch => "branch",
        Leak::Load => "load",
        Leak::Store => "store",
        Leak::FlashLoad => "flash-load",
        Leak::Jump => "jump",
    }
}

/// CPSE, SBRC, SBRS, SBIC, SBIS; and BRBS and BRBC over one word.
fn skips_one_word(opcode: u16) -> bool {
    !matches!(opcode >> 9, 0x78..=0x7b) || opcode >> 3 & 0x7f == 1
}

/// An instruction of one word and one cycle: to execute it takes as long as to skip it, two cycles with the branch
/// itself.
fn takes_one_cycle((instruction, opcode): (Instruction, u16)) -> bool {
    match instruction.kind {
        Kind::Arithmetic => opcode & WORD_ARITHMETIC_MASK != WORD_ARITHMETIC,
        Kind::InputOutput => opcode >> 12 == 0xb, // IN, OUT
        _ => opcode == NOP,
    }
}
