//! What happens to a device from outside, by a list or at random from a seed: rain, resets.

use std::collections::VecDeque;

use bancada_simavr::random::Random;

use crate::config::{Cause, Rain, Reset, Resets};

const SECOND_NS: f64 = 1e9;
const BOUNCE_NS: u64 = 300_000;

pub fn ns(seconds: f64) -> u64 {
    (seconds.max(0.0) * SECOND_NS).round() as u64
}

/// Times of a Poisson process up to `duration_s`.
fn random_times_s(mean_interval_s: Option<f64>, duration_s: f64, random: &mut Random) -> Vec<f64> {
    let mut times = Vec::new();
    if let Some(mean) = mean_interval_s {
        let mut time_s = random.exponential(mean);
        while time_s < duration_s {
            times.push(time_s);
            time_s += random.exponential(mean);
        }
    }
    times
}

/// Levels of the rain gauge's contact: (time, closed).
pub fn rain_edges(rain: &Rain, duration_s: f64, random: &mut Random) -> (VecDeque<(u64, bool)>, u64) {
    let mut times_s = rain.times_s.clone();
    times_s.extend(random_times_s(rain.mean_interval_s, duration_s, random));
    times_s.sort_by(f64::total_cmp);
    let mut edges = VecDeque::new();
    let mut pulses = 0;
    let mut free_from_ns = 0;
    for time_ns in times_s.into_iter().map(ns) {
        if time_ns < free_from_ns {
            continue; // the bucket is still tipping
        }
        let mut closed_ns = time_ns;
        for _ in 0..rain.bounces {
            edges.push_back((closed_ns, true));
            edges.push_back((closed_ns + BOUNCE_NS, false));
            closed_ns += 2 * BOUNCE_NS;
        }
        let opens_ns = closed_ns + ns(rain.pulse_ms / 1000.0);
        edges.push_back((closed_ns, true));
        edges.push_back((opens_ns, false));
        free_from_ns = opens_ns + ns(rain.pulse_ms / 1000.0);
        pulses += 1;
    }
    (edges, pulses)
}

/// The resets that are still to come.
pub struct ComingResets {
    times: VecDeque<(u64, Cause)>,
    causes: Vec<Cause>,
    while_writing: f64,
    random: Random,
}

impl ComingResets {
    pub fn new(resets: &Resets, duration_s: f64, mut random: Random) -> ComingResets {
        let causes = resets.causes.clone();
        let mut all: Vec<Reset> = resets.at.clone();
        for time_s in random_times_s(resets.mean_interval_s, duration_s, &mut random) {
            let cause = any_of(&causes, &mut random);
            all.push(Reset { time_s, cause });
        }
        all.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        ComingResets {
            times: all.into_iter().map(|reset| (ns(reset.time_s), reset.cause)).collect(),
            causes,
            while_writing: resets.while_writing,
            random,
        }
    }

    pub fn next_ns(&self) -> Option<u64> {
        self.times.front().map(|(time_ns, _)| *time_ns)
    }

    pub fn take(&mut self) -> Option<Cause> {
        self.times.pop_front().map(|(_, cause)| cause)
    }

    /// A byte is being written to EEPROM from `now_ns` on.
    pub fn note_write(&mut self, now_ns: u64, write_ns: u64) {
        if self.random.unit() < self.while_writing {
            let strikes_ns = now_ns + (self.random.unit() * write_ns as f64) as u64;
            if self.next_ns().is_none_or(|next_ns| strikes_ns < next_ns) {
                let cause = any_of(&self.causes, &mut self.random);
                self.times.push_front((strikes_ns, cause));
            }
        }
    }
}

fn any_of(causes: &[Cause], random: &mut Random) -> Cause {
    causes[(random.next_u64() % causes.len() as u64) as usize]
}
