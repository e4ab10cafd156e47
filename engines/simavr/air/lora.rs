//! Time on air of a LoRa packet: Semtech AN1200.13, "LoRa Modem Designer's Guide", section 4, and the same
//! formula in the data sheet of the SX1276/77/78/79, section 4.1.1.7.

/// The E32 module sends LoRa's usual preamble of 8 symbols, an explicit header and a CRC: the times on air that
/// were measured on the module come out right with these.
const PREAMBLE_SYMBOLS: u64 = 8;
const EXPLICIT_HEADER: bool = true;
const CRC: bool = true;

/// Symbols of the preamble that the modem adds, in quarters: 4.25.
const EXTRA_PREAMBLE_QUARTERS: u64 = 17;

/// Above this symbol duration the data sheet demands the low data rate optimisation.
const LONGEST_SYMBOL_WITHOUT_OPTIMISATION_NS: u64 = 16_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modulation {
    pub spreading_factor: u64,
    pub bandwidth_hz: u64,
    /// 1 for coding rate 4/5 ... 4 for 4/8.
    pub coding_rate: u64,
}

/// What the E32 module uses for each of its air data rates, as far as it is documented.
pub fn modulation(air_rate: u32) -> Option<Modulation> {
    let (spreading_factor, bandwidth_hz, coding_rate) = match air_rate {
        300 => (12, 125_000, 1),
        1200 => (11, 250_000, 1),
        2400 => (11, 500_000, 1),
        4800 => (8, 250_000, 2),
        _ => return None,
    };
    Some(Modulation {
        spreading_factor,
        bandwidth_hz,
        coding_rate,
    })
}

/// Each nibble of what the module puts before the user's bytes (5) and of those bytes travels as a byte, and two
/// more bytes frame the whole.
pub fn air_bytes(user_bytes: usize) -> u64 {
    2 * (user_bytes as u64 + 5) + 2
}

impl Modulation {
    pub fn symbol_ns(&self) -> u64 {
        (1_000_000_000 << self.spreading_factor) / self.bandwidth_hz
    }

    fn payload_symbols(&self, payload_bytes: u64) -> u64 {
        let optimised = self.symbol_ns() > LONGEST_SYMBOL_WITHOUT_OPTIMISATION_NS;
        let bits = 8 * payload_bytes + 28 + if CRC { 16 } else { 0 };
        let bits = bits.saturating_sub(4 * self.spreading_factor + if EXPLICIT_HEADER { 0 } else { 20 });
        let bits_per_block = 4 * (self.spreading_factor - if optimised { 2 } else { 0 });
        8 + bits.div_ceil(bits_per_block) * (self.coding_rate + 4)
    }

    pub fn time_on_air_ns(&self, payload_bytes: u64) -> u64 {
        let quarters = 4 * (PREAMBLE_SYMBOLS + self.payload_symbols(payload_bytes)) + EXTRA_PREAMBLE_QUARTERS;
        quarters * self.symbol_ns() / 4
    }
}
