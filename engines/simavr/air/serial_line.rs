//! Asynchronous serial bytes as levels over time, for a line that ends at an AVR's general-purpose pin.

use crate::parameters::{LineFormat, Parity};

fn parity_bit(byte: u8, parity: Parity) -> bool {
    let odd_ones = byte.count_ones() % 2 == 1;
    match parity {
        Parity::Even => odd_ones,
        _ => !odd_ones,
    }
}

/// When the line changes, and to which level, for a byte whose start bit begins at `begin_ns`. It is high before.
pub fn edges_of(byte: u8, format: LineFormat, begin_ns: u64) -> Vec<(u64, bool)> {
    let mut levels = vec![false];
    levels.extend((0..8).map(|bit| byte >> bit & 1 == 1));
    if format.parity != Parity::None {
        levels.push(parity_bit(byte, format.parity));
    }
    levels.push(true);
    let mut level_before = true;
    let mut edges = Vec::new();
    for (index, level) in levels.into_iter().enumerate() {
        if level != level_before {
            edges.push((begin_ns + format.bit_offset_ns(index as u64), level));
        }
        level_before = level;
    }
    edges
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    Byte(u8),
    /// No stop bit where one had to be, or the wrong parity.
    Garbled,
}

/// Makes bytes of a line's edges, looking at the middle of each bit, as a receiver does.
pub struct LineReceiver {
    level: bool,
    /// Where the start bit began, and the edges since.
    begin_ns: Option<u64>,
    edges: Vec<(u64, bool)>,
}

impl LineReceiver {
    pub fn new() -> LineReceiver {
        LineReceiver {
            level: true,
            begin_ns: None,
            edges: Vec::new(),
        }
    }

    pub fn edge(&mut self, time_ns: u64, level: bool) {
        if level == self.level {
            return;
        }
        self.level = level;
        match self.begin_ns {
            None if !level => self.begin_ns = Some(time_ns),
            None => {}
            Some(_) => self.edges.push((time_ns, level)),
        }
    }

    /// The middle of the stop bit of the byte that is under way.
    pub fn due_ns(&self, format: LineFormat) -> Option<u64> {
        let stop_bit = 1 + format.data_and_parity_bits();
        Some(self.begin_ns? + (format.bit_offset_ns(stop_bit) + format.bit_offset_ns(stop_bit + 1)) / 2)
    }

    /// The byte, once its stop bit's middle has passed.
    pub fn take(&mut self, format: LineFormat) -> Option<Received> {
        let begin_ns = self.begin_ns.take()?;
        let level_of = |bit: u64| {
            let middle_ns = begin_ns + (format.bit_offset_ns(bit) + format.bit_offset_ns(bit + 1)) / 2;
            let edges_before = self.edges.iter().take_while(|(time_ns, _)| *time_ns <= middle_ns);
            edges_before.last().is_some_and(|(_, level)| *level)
        };
        let byte = (0..8).fold(0, |byte, bit| byte | u8::from(level_of(1 + bit)) << bit);
        let parity_holds = format.parity == Parity::None || level_of(9) == parity_bit(byte, format.parity);
        let stop_bit_holds = level_of(1 + format.data_and_parity_bits());
        self.edges.clear();
        Some(if stop_bit_holds && parity_holds {
            Received::Byte(byte)
        } else {
            Received::Garbled
        })
    }
}
