//! The one air that all modules share: who sends when, and what is lost because two sent at once.
//!
//! Every module hears every other. Transmissions that overlap in time on the same channel and air rate are lost,
//! all of them and at every receiver (no capture); other rates and channels do not disturb.

use crate::e32::{Carrier, Packet};

pub struct Transmission {
    pub number: u64,
    pub sender: usize,
    pub packet: Packet,
    pub begin_ns: u64,
    pub end_ns: u64,
    /// Overlapped another one.
    pub collided: bool,
    /// The sender's power failed before the end.
    pub aborted: bool,
}

#[derive(Default)]
pub struct Medium {
    under_way: Vec<Transmission>,
    begun: u64,
}

impl Medium {
    /// Adds a transmission and answers which ones, by number and sender, it collides with. The order in which
    /// overlapping transmissions are added does not matter.
    pub fn begin(&mut self, sender: usize, packet: Packet, begin_ns: u64, end_ns: u64) -> (u64, Vec<(u64, usize)>) {
        let mut disturbed = Vec::new();
        for other in &mut self.under_way {
            let same_radio = other.packet.channel == packet.channel && other.packet.air_rate == packet.air_rate;
            if same_radio && begin_ns < other.end_ns && other.begin_ns < end_ns {
                other.collided = true;
                disturbed.push((other.number, other.sender));
            }
        }
        let number = self.begun;
        self.begun += 1;
        self.under_way.push(Transmission {
            number,
            sender,
            packet,
            begin_ns,
            end_ns,
            collided: !disturbed.is_empty(),
            aborted: false,
        });
        (number, disturbed)
    }

    /// The sender's transmission ends here instead, and no receiver understands it.
    pub fn abort(&mut self, sender: usize, now_ns: u64) {
        for transmission in &mut self.under_way {
            if transmission.sender == sender && transmission.end_ns > now_ns {
                transmission.end_ns = now_ns;
                transmission.aborted = true;
            }
        }
    }

    pub fn next_end_ns(&self) -> Option<u64> {
        self.under_way.iter().map(|transmission| transmission.end_ns).min()
    }

    /// Who is on the air, all but this node.
    pub fn carriers_without(&self, node: usize) -> Vec<Carrier> {
        let others = self.under_way.iter().filter(|transmission| transmission.sender != node);
        others
            .map(|transmission| Carrier {
                channel: transmission.packet.channel,
                begin_ns: transmission.begin_ns,
                end_ns: transmission.end_ns,
            })
            .collect()
    }

    /// The transmissions that have ended by now, in the order of their ends.
    pub fn take_ended(&mut self, now_ns: u64) -> Vec<Transmission> {
        let (mut ended, rest): (Vec<_>, Vec<_>) = self
            .under_way
            .drain(..)
            .partition(|transmission| transmission.end_ns <= now_ns);
        self.under_way = rest;
        ended.sort_by_key(|transmission| (transmission.end_ns, transmission.number));
        ended
    }
}
