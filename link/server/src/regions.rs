//! What the law of a region lets a sensor do, as its firmware has it (link/firmware/core/region.c): so that what it would
//! refuse is not asked of it.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    None,
    Eu433,
    Eu868,
    Br915,
}

const REGIONS: [(Region, &str); 4] = [
    (Region::None, "none"),
    (Region::Eu433, "eu433"),
    (Region::Eu868, "eu868"),
    (Region::Br915, "br915"),
];

impl Region {
    pub fn from_number(number: i64) -> Region {
        let found = usize::try_from(number).ok().and_then(|at| REGIONS.get(at));
        found.map_or(Region::None, |(region, _)| *region)
    }

    pub fn from_name(name: &str) -> Option<Region> {
        REGIONS
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(region, _)| *region)
    }

    /// As in the sensor's EEPROM.
    pub fn number(self) -> u8 {
        self as u8
    }

    pub fn name(self) -> &'static str {
        REGIONS[self as usize].1
    }

    /// Channels on which the whole signal is in the band, and the number of the highest power.
    pub fn allows(self, channel: i64, power: i64) -> bool {
        let (channels, strongest): (&[std::ops::RangeInclusive<i64>], i64) = match self {
            Region::None => (&[0..=31], 0),
            Region::Eu433 => (&[24..=24], 3),
            Region::Eu868 => (&[4..=5], 2),
            Region::Br915 => (&[3..=7, 16..=27], 0),
        };
        (strongest..=3).contains(&power) && channels.iter().any(|span| span.contains(&channel))
    }

    /// Channel and power for a sensor of which nobody says them.
    pub fn usual(self) -> (u8, u8) {
        match self {
            Region::None => (23, 0),
            Region::Eu433 => (24, 3),
            Region::Eu868 => (5, 2),
            Region::Br915 => (20, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_go_both_ways_and_the_usual_is_allowed() {
        for (at, (region, name)) in REGIONS.iter().enumerate() {
            assert_eq!(usize::from(region.number()), at);
            assert_eq!(Region::from_number(at as i64), *region);
            assert_eq!(Region::from_name(name), Some(*region));
            let (channel, power) = region.usual();
            assert!(region.allows(channel.into(), power.into()));
        }
        assert!(!Region::Eu433.allows(23, 3) && !Region::Eu433.allows(24, 2));
    }
}
