//! A module's parameters. Of the E32 the five bytes after C0 and C2 (E32-433T20D user manual, section 7.5); of the E22
//! its registers 00H to 06H (E22-400T22D user manual, section 7.2).

const E32_FACTORY: [u8; 5] = [0x00, 0x00, 0x1a, 0x17, 0x44];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    E32,
    E22,
}

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
    pub kind: Kind,
    /// The E32 has the first five only.
    bytes: [u8; 7],
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters::e32(E32_FACTORY)
    }
}

impl Parameters {
    pub fn e32(bytes: [u8; 5]) -> Parameters {
        let [b0, b1, b2, b3, b4] = bytes;
        Parameters {
            kind: Kind::E32,
            bytes: [b0, b1, b2, b3, b4, 0, 0],
        }
    }

    pub fn e22(bytes: [u8; 7]) -> Parameters {
        Parameters { kind: Kind::E22, bytes }
    }

    /// As the module tells them.
    pub fn bytes(&self) -> &[u8] {
        match self.kind {
            Kind::E32 => &self.bytes[..5],
            Kind::E22 => &self.bytes,
        }
    }

    fn of(&self, e32: usize, e22: usize) -> u8 {
        match self.kind {
            Kind::E32 => self.bytes[e32],
            Kind::E22 => self.bytes[e22],
        }
    }

    /// Modules with different ones do not hear each other. The E32 has none.
    pub fn network(&self) -> u8 {
        match self.kind {
            Kind::E32 => 0,
            Kind::E22 => self.bytes[2],
        }
    }

    /// A byte behind each packet tells how strongly it was received.
    pub fn tells_signal(&self) -> bool {
        self.kind == Kind::E22 && self.bytes[6] & 0x80 != 0
    }

    pub fn listens_before_talking(&self) -> bool {
        self.kind == Kind::E22 && self.bytes[6] & 0x10 != 0
    }

    /// What is sent at once.
    pub fn packet_bytes(&self) -> usize {
        match self.kind {
            Kind::E32 => 58,
            Kind::E22 => [240, 128, 64, 32][usize::from(self.bytes[4] >> 6)],
        }
    }

    pub fn address(&self) -> u16 {
        u16::from_be_bytes([self.bytes[0], self.bytes[1]])
    }

    fn speed(&self) -> u8 {
        self.of(2, 3)
    }

    pub fn line_format(&self) -> LineFormat {
        const BAUD: [u32; 8] = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200];
        let (parity, baud) = match self.kind {
            Kind::E32 => (self.speed() >> 6, self.speed() >> 3 & 7),
            Kind::E22 => (self.speed() >> 3 & 3, self.speed() >> 5),
        };
        let parity = match parity {
            1 => Parity::Odd,
            2 => Parity::Even,
            _ => Parity::None,
        };
        LineFormat {
            baud: BAUD[usize::from(baud)],
            parity,
        }
    }

    /// Bits a second, as the manual names the rates.
    pub fn air_rate(&self) -> u32 {
        const E32_RATES: [u32; 8] = [300, 1200, 2400, 4800, 9600, 19_200, 19_200, 19_200];
        const E22_RATES: [u32; 8] = [300, 1200, 2400, 4800, 9600, 19_200, 38_400, 62_500];
        let rates = match self.kind {
            Kind::E32 => E32_RATES,
            Kind::E22 => E22_RATES,
        };
        rates[usize::from(self.speed() & 7)]
    }

    pub fn channel(&self) -> u8 {
        match self.kind {
            Kind::E32 => self.bytes[3] & 0x1f,
            Kind::E22 => self.bytes[5],
        }
    }

    /// OPTION of the E32, REG3 of the E22.
    fn option(&self) -> u8 {
        self.of(4, 6)
    }

    /// Each packet names its receiver's address and channel.
    pub fn is_fixed_transmission(&self) -> bool {
        match self.kind {
            Kind::E32 => self.option() & 0x80 != 0,
            Kind::E22 => self.option() & 0x40 != 0,
        }
    }

    pub fn wake_up_ns(&self) -> u64 {
        match self.kind {
            Kind::E32 => u64::from((self.option() >> 3 & 7) + 1) * 250_000_000,
            Kind::E22 => u64::from((self.option() & 7) + 1) * 500_000_000,
        }
    }

    /// What the module feeds into its antenna, in dBm: E32-433T20D, E22-400T22D.
    pub fn power_dbm(&self) -> i32 {
        match self.kind {
            Kind::E32 => [20, 17, 14, 10][usize::from(self.bytes[4] & 3)],
            Kind::E22 => [22, 17, 13, 10][usize::from(self.bytes[4] & 3)],
        }
    }

    pub fn forward_error_correction(&self) -> bool {
        self.kind == Kind::E22 || self.option() & 4 != 0
    }
}
