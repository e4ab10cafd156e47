//! What the taint rules read of the machine before an instruction is executed.

/// The machine between two instructions. `data` is the data space, whose first 32 bytes are the registers; `sreg` has a
/// byte for each flag, as simavr keeps them.
pub struct Cpu<'a> {
    pub opcode: u16,
    pub data: &'a [u8],
    pub sreg: [u8; 8],
    pub second_word: u16,
}

const SPL: usize = 0x5d;

impl Cpu<'_> {
    #[inline(always)]
    pub fn register(&self, number: usize) -> u8 {
        self.data[number]
    }

    #[inline(always)]
    pub fn word(&self, register: usize) -> u16 {
        u16::from_le_bytes([self.data[register], self.data[register + 1]])
    }

    /// `flag` is its bit in SREG.
    pub fn flag(&self, flag: u8) -> bool {
        self.sreg[flag.trailing_zeros() as usize] != 0
    }

    pub fn sp(&self) -> u16 {
        self.word(SPL)
    }

    /// The address in LDS and STS.
    pub fn second_word(&self) -> u16 {
        self.second_word
    }
}
