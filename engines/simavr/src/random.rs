//! Pseudo-random numbers from a seed: the same on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and a mix, any seed is good.
#[derive(Clone, Copy)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// A generator of its own for each purpose, so that drawing for one does not move the other.
    pub fn for_purpose(seed: u64, purpose: &str) -> Random {
        let mut random = Random::new(seed);
        for byte in purpose.bytes() {
            random.state = random.next_u64() ^ u64::from(byte);
        }
        random
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = self.state;
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in 0 <= x < 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The time to the next event of a Poisson process.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }
}
