//! The E32 module's parameters: the five bytes after C0 and C2. E32-433T20D user manual, section 7.5.

pub const FACTORY: [u8; 5] = [0x00, 0x00, 0x1a, 0x17, 0x44];

/// Receives from every address, and is received by every address, on its channel.
pub const BROADCAST: u16 = 0xffff;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parity {
    None,
    Odd,
    Even,
}

/// How bytes look on the serial line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineFormat {
    pub baud: u32,
    pub parity: Parity,
}

impl LineFormat {
    /// What the module speaks while it is being configured, whatever its parameters say.
    pub const CONFIGURATION: LineFormat = LineFormat {
        baud: 9600,
        parity: Parity::None,
    };

    pub fn data_and_parity_bits(&self) -> u64 {
        8 + u64::from(self.parity != Parity::None)
    }

    /// From the beginning of the line's bit number `index` (0 is the start bit) to that of the byte.
    pub fn bit_offset_ns(&self, index: u64) -> u64 {
        index * 1_000_000_000 / u64::from(self.baud)
    }

    /// Start, data, parity and one stop bit.
    pub fn byte_ns(&self) -> u64 {
        self.bit_offset_ns(2 + self.data_and_parity_bits())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    pub bytes: [u8; 5],
}

impl Parameters {
    pub fn address(&self) -> u16 {
        u16::from_be_bytes([self.bytes[0], self.bytes[1]])
    }

    fn speed(&self) -> u8 {
        self.bytes[2]
    }

    pub fn line_format(&self) -> LineFormat {
        const BAUD: [u32; 8] = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200];
        let parity = match self.speed() >> 6 {
            1 => Parity::Odd,
            2 => Parity::Even,
            _ => Parity::None,
        };
        LineFormat {
            baud: BAUD[usize::from(self.speed() >> 3 & 7)],
            parity,
        }
    }

    /// Bits a second, as the manual names the rates.
    pub fn air_rate(&self) -> u32 {
        const RATES: [u32; 8] = [300, 1200, 2400, 4800, 9600, 19_200, 19_200, 19_200];
        RATES[usize::from(self.speed() & 7)]
    }

    pub fn channel(&self) -> u8 {
        self.bytes[3] & 0x1f
    }

    fn option(&self) -> u8 {
        self.bytes[4]
    }

    /// Each packet names its receiver's address and channel.
    pub fn is_fixed_transmission(&self) -> bool {
        self.option() & 0x80 != 0
    }

    pub fn wake_up_ns(&self) -> u64 {
        u64::from((self.option() >> 3 & 7) + 1) * 250_000_000
    }

    /// What the module feeds into its antenna, in dBm: E32-433T20D, E32-868T20D.
    pub fn power_dbm(&self) -> i32 {
        const POWERS_DBM: [i32; 4] = [20, 17, 14, 10];
        POWERS_DBM[usize::from(self.option() & 3)]
    }

    pub fn forward_error_correction(&self) -> bool {
        self.option() & 4 != 0
    }
}
