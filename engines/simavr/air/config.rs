//! What to simulate: one JSON file. docs/reference/link-simulation.md describes it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::parameters::Parameters;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub duration_s: f64,
    pub seed: u64,
    /// No faster than the clock on the wall.
    #[serde(default)]
    pub real_time: bool,
    /// Nothing but faults, the summary and what is listed here; everything if there is no list.
    pub events: Option<Vec<String>>,
    #[serde(default)]
    pub air: Air,
    pub nodes: Vec<Node>,
}

/// What spoils packets besides collisions: probabilities for each packet at each receiver.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Air {
    #[serde(default)]
    pub loss: f64,
    /// One bit of the packet is delivered wrong.
    #[serde(default)]
    pub bit_error: f64,
    /// By how much the strength falls with the distance: 2 is free space, 2.7 to 3.5 are towns.
    #[serde(default = "default_path_loss_exponent")]
    pub path_loss_exponent: f64,
}

fn default_path_loss_exponent() -> f64 {
    2.7
}

impl Default for Air {
    fn default() -> Self {
        Air {
            loss: 0.0,
            bit_error: 0.0,
            path_loss_exponent: default_path_loss_exponent(),
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Node {
    Firmware(Box<FirmwareNode>),
    Native(NativeNode),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirmwareNode {
    pub name: String,
    pub elf: PathBuf,
    #[serde(default = "default_mcu")]
    pub mcu: String,
    #[serde(default = "default_frequency")]
    pub frequency: u32,
    #[serde(default)]
    pub clock_ppm: f64,
    /// When it is powered on.
    #[serde(default)]
    pub start_s: f64,
    #[serde(default = "default_supply_mv")]
    pub supply_mv: u32,
    /// Where it stands, in metres; a node without is a kilometre from every other.
    pub at_m: Option<[f64; 2]>,
    pub module: ModuleWiring,
    pub uart: Option<UartEnd>,
    pub eeprom: Option<EepromFiles>,
    pub clock: Option<Clock>,
    pub rain: Option<Rain>,
    pub resets: Option<Resets>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleWiring {
    pub m0: String,
    pub m1: String,
    pub aux: String,
    /// The device's pin that the module's TXD goes to.
    pub from_module: String,
    pub to_module: String,
    #[serde(default)]
    pub parameters: HexParameters,
    #[serde(default)]
    pub aux_rises: AuxRises,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub enum AuxRises {
    #[default]
    AtEnd,
    AtBegin,
}

/// The module's saved parameters: ten hexadecimal digits are an E32's, fourteen an E22's.
#[derive(Deserialize, Clone, Copy, Default)]
#[serde(try_from = "String")]
pub struct HexParameters(pub Parameters);

impl TryFrom<String> for HexParameters {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is not an E32 module's five parameters in hexadecimal, such as 00001A1744, nor an E22's seven"
            )
        };
        if !text.is_ascii() || text.len() % 2 != 0 {
            return Err(wrong());
        }
        let digits = (0..text.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&text[at..at + 2], 16));
        let bytes: Vec<u8> = digits.collect::<Result<_, _>>().map_err(|_| wrong())?;
        let e32 = bytes.clone().try_into().map(Parameters::e32);
        let e22 = bytes.try_into().map(Parameters::e22);
        e32.or(e22).map(HexParameters).map_err(|_| wrong())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UartEnd {
    /// Raw bytes are written here; nothing comes in.
    File(PathBuf),
    Pty,
    /// After each stretch in which the device sent bytes, the program reads a line from standard input: hexadecimal
    /// bytes for the device, or nothing.
    Answered,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EepromFiles {
    pub load: Option<PathBuf>,
    pub save: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    pub unix_s: u32,
    /// How far it is into its second when the simulation begins.
    #[serde(default)]
    pub phase_s: f64,
    #[serde(default)]
    pub drift_ppm: f64,
    #[serde(default)]
    pub oscillator_stopped: bool,
    #[serde(default = "default_temperature_c")]
    pub temperature_c: f64,
    /// The device's pin that INT/SQW goes to.
    pub square_wave: Option<String>,
}

/// Contact closures to ground: at these times, and at random.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rain {
    pub pin: String,
    #[serde(default)]
    pub times_s: Vec<f64>,
    pub mean_interval_s: Option<f64>,
    #[serde(default = "default_pulse_ms")]
    pub pulse_ms: f64,
    /// So many times the contact opens again for a moment before it stays closed.
    #[serde(default)]
    pub bounces: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resets {
    #[serde(default)]
    pub at: Vec<Reset>,
    /// Random ones, each of one of these causes.
    pub mean_interval_s: Option<f64>,
    /// The probability that another one strikes within the writing of a byte to EEPROM.
    #[serde(default)]
    pub while_writing: f64,
    #[serde(default = "default_causes")]
    pub causes: Vec<Cause>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    pub time_s: f64,
    pub cause: Cause,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The reset button: the module stays on, an EEPROM write is finished.
    External,
    /// The supply dips: the module starts again too, an EEPROM write is torn, RAM is kept.
    BrownOut,
    /// The supply goes: as a brown-out, and RAM holds anything.
    PowerLoss,
}

/// A sender by a timing model instead of firmware: see `native_node`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NativeNode {
    pub name: String,
    #[serde(default)]
    pub module: HexParameters,
    pub at_m: Option<[f64; 2]>,
    pub frame_bytes: usize,
    pub device: u16,
    /// When it is powered on.
    pub start_s: f64,
    pub period_s: f64,
    /// Each pause is uniform within this part of the period, less or more, and the first within a whole period. 0: the
    /// frames are due each period, from `first_s` on.
    #[serde(default)]
    pub jitter: f64,
    #[serde(default)]
    pub first_s: f64,
    /// From when a frame is due to the first start bit on the module's line.
    #[serde(default)]
    pub lead_s: f64,
    /// The crystal's error, of the clock that the periods are counted by.
    #[serde(default)]
    pub drift_ppm: f64,
}

fn default_mcu() -> String {
    "atmega328p".to_string()
}

fn default_frequency() -> u32 {
    16_000_000
}

fn default_supply_mv() -> u32 {
    5000
}

fn default_temperature_c() -> f64 {
    21.5
}

fn default_pulse_ms() -> f64 {
    100.0
}

fn default_causes() -> Vec<Cause> {
    vec![Cause::External, Cause::BrownOut, Cause::PowerLoss]
}

/// 2000-01-01, where the DS3231's calendar begins.
const FIRST_UNIX_S: u32 = 946_684_800;

pub fn read(path: &Path) -> Result<Config, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let config: Config = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    check(&config).map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(config)
}

fn check(config: &Config) -> Result<(), String> {
    let positive = |name: &str, value: f64| {
        if value.is_finite() && value > 0.0 {
            Ok(())
        } else {
            Err(format!("{name} must be more than 0, not {value}"))
        }
    };
    positive("duration_s", config.duration_s)?;
    for (name, value) in [("loss", config.air.loss), ("bit_error", config.air.bit_error)] {
        if !(0.0..=1.0).contains(&value) {
            return Err(format!("air.{name} is a probability, not {value}"));
        }
    }
    for node in &config.nodes {
        match node {
            Node::Firmware(node) => {
                let random_rain = node.rain.as_ref().and_then(|rain| rain.mean_interval_s);
                let random_resets = node.resets.as_ref().and_then(|resets| resets.mean_interval_s);
                for mean in [random_rain, random_resets].into_iter().flatten() {
                    positive("mean_interval_s", mean)?;
                }
                if node.frequency == 0 {
                    return Err(format!("the frequency of {} must be at least 1 Hz", node.name));
                }
                let while_writing = node.resets.as_ref().map_or(0.0, |resets| resets.while_writing);
                if !(0.0..=1.0).contains(&while_writing) {
                    return Err(format!(
                        "resets.while_writing of {} is a probability, not {while_writing}",
                        node.name
                    ));
                }
                if node.resets.as_ref().is_some_and(|resets| resets.causes.is_empty()) {
                    return Err(format!("the resets of {} need at least one cause", node.name));
                }
                if node.clock.as_ref().is_some_and(|clock| clock.unix_s < FIRST_UNIX_S) {
                    return Err(format!(
                        "the clock of {} cannot show a time before the year 2000",
                        node.name
                    ));
                }
            }
            Node::Native(node) => positive("period_s", node.period_s)?,
        }
    }
    Ok(())
}
