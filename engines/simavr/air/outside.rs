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

pub fn reset_times(resets: &Resets, duration_s: f64, random: &mut Random) -> VecDeque<(u64, Cause)> {
    let mut all: Vec<Reset> = resets.at.clone();
    for time_s in random_times_s(resets.mean_interval_s, duration_s, random) {
        let cause = resets.causes[(random.next_u64() % resets.causes.len() as u64) as usize];
        all.push(Reset { time_s, cause });
    }
    all.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    all.into_iter().map(|reset| (ns(reset.time_s), reset.cause)).collect()
}
