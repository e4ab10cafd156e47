//! Who waits for their password to be looked at. A hash takes its time, so a flood of attempts must neither grow without
//! end nor stand in front of everybody else: the line is short, and nobody has more than a few places in it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Three seconds of hashing on a slow machine.
const PLACES: usize = 32;
const PLACES_OF_ONE: usize = 8;

#[derive(Clone, Default)]
pub struct Line(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A place in the line, given up when it is dropped.
pub struct Place {
    line: Line,
    address: IpAddr,
}

impl Line {
    /// A place for somebody at this address; none if the line is full or the address has all its places.
    pub fn enter(&self, address: IpAddr) -> Option<Place> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = waiting.values().sum();
        let of_one = waiting.get(&address).copied().unwrap_or(0);
        if all >= PLACES || of_one >= PLACES_OF_ONE {
            return None;
        }
        waiting.insert(address, of_one + 1);
        Some(Place {
            line: self.clone(),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.line.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = waiting.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn nobody_has_more_than_a_few_places() {
        let line = Line::default();
        let places: Vec<_> = (0..100).filter_map(|_| line.enter(address(1))).collect();
        assert_eq!(places.len(), PLACES_OF_ONE);
        assert!(line.enter(address(2)).is_some());
        drop(places);
        assert!(line.enter(address(1)).is_some());
    }

    #[test]
    fn the_line_is_short_whoever_stands_in_it() {
        let line = Line::default();
        let places: Vec<_> = (0..100).filter_map(|last| line.enter(address(last))).collect();
        assert_eq!(places.len(), PLACES);
        assert!(line.enter(address(200)).is_none());
        drop(places);
        assert!(
            line.0.lock().expect("unharmed").is_empty(),
            "nothing is kept of who has left"
        );
    }
}
