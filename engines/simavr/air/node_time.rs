//! A device's cycles and the simulation's nanoseconds: each device has its own crystal, somewhat fast or slow.

#[derive(Clone, Copy, Debug)]
pub struct NodeTime {
    start_ns: u64,
    millihertz: u64,
}

const NS_TIMES_MILLI: u128 = 1_000_000_000_000;

impl NodeTime {
    pub fn new(start_ns: u64, frequency: u32, clock_ppm: f64) -> NodeTime {
        NodeTime {
            start_ns,
            millihertz: (f64::from(frequency) * 1000.0 * (1.0 + clock_ppm * 1e-6)).round() as u64,
        }
    }

    pub fn ns_at(&self, cycle: u64) -> u64 {
        self.start_ns + (u128::from(cycle) * NS_TIMES_MILLI / u128::from(self.millihertz)) as u64
    }

    /// The first cycle at or after a time.
    pub fn cycle_at(&self, time_ns: u64) -> u64 {
        let since_start_ns = u128::from(time_ns.saturating_sub(self.start_ns));
        (since_start_ns * u128::from(self.millihertz)).div_ceil(NS_TIMES_MILLI) as u64
    }
}
