//! Runs several AVRs and E32 radio modules that share one air. See docs/reference/link-simulation.md.
//!
//! Copyright (C) 2025 the Bancada authors. Licence: GPL-3.0-or-later, because simavr is; see LICENSE.

mod config;
mod device;
mod ds3231;
mod e32;
mod eeprom;
mod firmware_node;
mod lora;
mod marker;
mod medium;
mod native_node;
mod node;
mod node_time;
mod outside;
mod parameters;
mod path_loss;
mod pins;
mod report;
mod serial_line;
mod simulation;
mod twi;
mod watchdog;

use std::path::Path;
use std::process::exit;
use std::sync::atomic::Ordering;

use bancada_simavr::serial::take_standard_output;

use node::{Events, Node};
use report::Report;
use simulation::Simulation;

const USAGE: &str =
    "usage: bancada-air CONFIGURATION.json | --time-on-air AIR_RATE USER_BYTES; events come on standard output, \
one JSON object a line";
const VERSION: &str = concat!("bancada-air ", env!("CARGO_PKG_VERSION"), " (simavr-ffi 1.2.7)");

const EXIT_HOST_FAILED: i32 = 1;
const EXIT_USAGE: i32 = 2;
const EXIT_FAULT: i32 = 3;

enum Failure {
    Usage(String),
    Host(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Host(error.to_string())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["--help"] => {
            println!("{USAGE}");
            Ok(true)
        }
        ["--version"] => {
            println!("{VERSION}");
            Ok(true)
        }
        ["--time-on-air", air_rate, user_bytes] => print_time_on_air(air_rate, user_bytes),
        ["--lora-time-on-air", spreading_factor, bandwidth_hz, coding_rate, bytes] => {
            print_lora_time_on_air([spreading_factor, bandwidth_hz, coding_rate, bytes])
        }
        [path] if !path.starts_with("--") => run(Path::new(path)),
        _ => Err(Failure::Usage(USAGE.to_string())),
    };
    let (code, why) = match done {
        Ok(true) => exit(0),
        Ok(false) => exit(EXIT_FAULT),
        Err(Failure::Usage(why)) => (EXIT_USAGE, why),
        Err(Failure::Host(why)) => (EXIT_HOST_FAILED, why),
    };
    eprintln!("bancada-air: {why}");
    exit(code)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, Failure> {
    let wrong = |_| Failure::Usage(format!("'{text}' is not a whole number; {USAGE}"));
    text.parse().map_err(wrong)
}

/// In nanoseconds, for the model beside the simulation: the same figure that the modules take.
fn print_time_on_air(air_rate: &str, user_bytes: &str) -> Result<bool, Failure> {
    let modulation = lora::modulation(number(air_rate)?).ok_or_else(|| {
        Failure::Usage(format!(
            "the modulation of air rate {air_rate} is not documented; 300, 1200, 2400 and 4800 are"
        ))
    })?;
    println!("{}", modulation.time_on_air_ns(lora::air_bytes(number(user_bytes)?)));
    Ok(true)
}

/// Of any LoRa packet with the usual preamble, an explicit header and a CRC; coding rate 1 is 4/5.
fn print_lora_time_on_air([spreading_factor, bandwidth_hz, coding_rate, bytes]: [&str; 4]) -> Result<bool, Failure> {
    let modulation = lora::Modulation {
        spreading_factor: number(spreading_factor)?,
        bandwidth_hz: number(bandwidth_hz)?,
        coding_rate: number(coding_rate)?,
    };
    if !(6..=12).contains(&modulation.spreading_factor)
        || modulation.bandwidth_hz == 0
        || !(1..=4).contains(&modulation.coding_rate)
    {
        return Err(Failure::Usage(
            "LoRa has spreading factors 6 to 12, coding rates 1 to 4 and a bandwidth above 0".to_string(),
        ));
    }
    println!("{}", modulation.time_on_air_ns(number(bytes)?));
    Ok(true)
}

extern "C" fn stop(_signal: libc::c_int) {
    simulation::STOP.store(true, Ordering::Relaxed);
}

fn run(path: &Path) -> Result<bool, Failure> {
    // First of all: what simavr prints must not get between the events.
    let output = take_standard_output()?;
    let config = config::read(path).map_err(Failure::Usage)?;
    let handler = stop as extern "C" fn(libc::c_int);
    // SAFETY: the handler only stores to an atomic; a caller that is killed must not leave this program behind.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        libc::signal(libc::SIGINT, handler as libc::sighandler_t);
        libc::signal(libc::SIGTERM, handler as libc::sighandler_t);
    }
    let mut report = Report::new(output, config.events);
    let mut nodes: Vec<Box<dyn Node>> = Vec::new();
    for node in config.nodes {
        let mut events = Events::default();
        let node: Box<dyn Node> = match node {
            config::Node::Native(node) => Box::new(native_node::NativeNode::new(node, config.seed)),
            config::Node::Firmware(node) => Box::new(
                firmware_node::FirmwareNode::new(*node, config.seed, config.duration_s, &mut events)
                    .map_err(Failure::Usage)?,
            ),
        };
        for (_, event, mut fields) in events.told {
            fields["node"] = serde_json::json!(node.name());
            report.always(event, fields)?;
        }
        nodes.push(node);
    }
    let mut simulation = Simulation::new(nodes, config.air, config.seed, report);
    Ok(simulation.run(outside::ns(config.duration_s), config.real_time)?)
}
