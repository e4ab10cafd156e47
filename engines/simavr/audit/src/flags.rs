//! Bits of SREG: AVR Instruction Set Manual (Microchip DS40002198), "Status Register".

pub const C: u8 = 1 << 0;
pub const Z: u8 = 1 << 1;
pub const N: u8 = 1 << 2;
pub const V: u8 = 1 << 3;
pub const S: u8 = 1 << 4;
pub const H: u8 = 1 << 5;
pub const T: u8 = 1 << 6;

/// What logic and shifts set.
pub const LOGIC: u8 = S | V | N | Z;
pub const SHIFT: u8 = LOGIC | C;
/// What additions, subtractions and comparisons set.
pub const ARITHMETIC: u8 = SHIFT | H;
