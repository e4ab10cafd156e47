//! How strongly a receiver gets a packet: the log-distance model, from free space at one metre (ITU-R P.525) on.

use crate::lora;

/// 20 log10(433) - 27.55: free space, one metre, 433 MHz.
const LOSS_AT_ONE_METRE_DB: f64 = 25.2;
/// Between nodes that are not said to stand anywhere.
const USUAL_DISTANCE_M: f64 = 1000.0;
/// Thermal noise in one hertz at 290 K, and what the receiver adds (SX1276/77/78/79 data sheet, table 10: 6 to 7 dB).
const NOISE_DBM_HZ: f64 = -174.0;
const NOISE_FIGURE_DB: f64 = 6.0;

pub fn received_dbm(power_dbm: i32, from_m: Option<[f64; 2]>, to_m: Option<[f64; 2]>, exponent: f64) -> f64 {
    let distance_m = match (from_m, to_m) {
        (Some(from), Some(to)) => (from[0] - to[0]).hypot(from[1] - to[1]).max(1.0),
        _ => USUAL_DISTANCE_M,
    };
    f64::from(power_dbm) - LOSS_AT_ONE_METRE_DB - 10.0 * exponent * distance_m.log10()
}

/// The weakest packet that is understood: noise, and the ratio that the spreading factor needs (the same data sheet,
/// table 13: -7.5 dB at SF7 and 2.5 dB less for each more).
pub fn least_dbm(air_rate: u32) -> f64 {
    let Some(modulation) = lora::modulation(air_rate) else {
        return f64::INFINITY;
    };
    let ratio_db = -7.5 - 2.5 * (modulation.spreading_factor as f64 - 7.0);
    NOISE_DBM_HZ + 10.0 * (modulation.bandwidth_hz as f64).log10() + NOISE_FIGURE_DB + ratio_db
}
