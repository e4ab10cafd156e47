//! The command line.

use std::path::PathBuf;

/// The engine's version, and that of simavr, which the crate simavr-ffi carries.
pub const VERSION: &str = concat!("bancada-simavr ", env!("CARGO_PKG_VERSION"), " (simavr-ffi 1.2.7)");

const DEFAULT_HOST_PAUSE_MS: u64 = 250;

pub const USAGE: &str = "usage: bancada-simavr --mcu NAME --frequency HERTZ [--uart stdio|pty|none] \
[--events FD] [--profile functions|addresses|stacks] [--function NAME|ADDRESS [--first-call N] [--calls N]] \
[--max-cycles N] [--wdt-jitter SEED] [--host-pause MILLISECONDS] FIRMWARE.elf";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UartMode {
    Stdio,
    Pty,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProfileMode {
    Functions,
    Addresses,
    /// Addresses, and who called whom.
    Stacks,
}

/// Which calls of a function are regions, whatever the firmware's markers say.
pub struct FunctionCalls {
    /// A symbol, or an address in flash in bytes.
    pub place: String,
    /// Counted from 1.
    pub first_call: u64,
    pub calls: u64,
}

pub struct Options {
    pub mcu: String,
    pub frequency: u32,
    pub uart: UartMode,
    pub events: Option<i32>,
    pub profile: Option<ProfileMode>,
    pub function: Option<FunctionCalls>,
    pub max_cycles: Option<u64>,
    pub wdt_jitter: Option<u64>,
    /// See `uart`.
    pub host_pause_ms: u64,
    pub firmware: PathBuf,
}

pub enum Request {
    Run(Options),
    Help,
    Version,
}

pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut mcu = None;
    let mut frequency = None;
    let mut uart = UartMode::Stdio;
    let mut events = None;
    let mut profile = None;
    let mut function = None;
    let mut first_call = None;
    let mut calls = None;
    let mut max_cycles = None;
    let mut wdt_jitter = None;
    let mut host_pause_ms = DEFAULT_HOST_PAUSE_MS;
    let mut firmware: Option<PathBuf> = None;

    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        if !argument.starts_with("--") {
            if firmware.replace(PathBuf::from(&argument)).is_some() {
                return Err(format!("one firmware file is enough, but '{argument}' is a second one"));
            }
            continue;
        }
        let (option, inline_value) = match argument.split_once('=') {
            Some((option, value)) => (option.to_string(), Some(value.to_string())),
            None => (argument.clone(), None),
        };
        if option == "--help" {
            return Ok(Request::Help);
        }
        if option == "--version" {
            return Ok(Request::Version);
        }
        let mut value = || {
            inline_value
                .clone()
                .or_else(|| arguments.next())
                .ok_or_else(|| format!("{option} needs a value"))
        };
        match option.as_str() {
            "--mcu" => mcu = Some(value()?),
            "--frequency" => frequency = Some(number(&option, &value()?)?),
            "--max-cycles" => max_cycles = Some(number(&option, &value()?)?),
            "--wdt-jitter" => wdt_jitter = Some(number(&option, &value()?)?),
            "--host-pause" => host_pause_ms = number(&option, &value()?)?,
            "--function" => function = Some(value()?),
            "--first-call" => first_call = Some(number(&option, &value()?)?),
            "--calls" => calls = Some(number(&option, &value()?)?),
            "--events" => events = Some(number(&option, &value()?)?),
            "--uart" => {
                uart = match value()?.as_str() {
                    "stdio" => UartMode::Stdio,
                    "pty" => UartMode::Pty,
                    "none" => UartMode::None,
                    other => return Err(format!("--uart is stdio, pty or none, not '{other}'")),
                }
            }
            "--profile" => {
                profile = match value()?.as_str() {
                    "functions" => Some(ProfileMode::Functions),
                    "addresses" => Some(ProfileMode::Addresses),
                    "stacks" => Some(ProfileMode::Stacks),
                    other => return Err(format!("--profile is functions, addresses or stacks, not '{other}'")),
                }
            }
            _ => return Err(format!("there is no option {option}; {USAGE}")),
        }
    }
    let frequency: u32 = frequency.ok_or("--frequency is missing, for example --frequency 16000000")?;
    if frequency == 0 {
        return Err("--frequency must be at least 1 Hz".to_string());
    }
    if function.is_none() && (first_call.is_some() || calls.is_some()) {
        return Err("--first-call and --calls say which calls of --function, which is missing".to_string());
    }
    if first_call == Some(0) || calls == Some(0) {
        return Err("--first-call and --calls are at least 1".to_string());
    }
    Ok(Request::Run(Options {
        mcu: mcu.ok_or("--mcu is missing, for example --mcu atmega328p")?,
        frequency,
        uart,
        events,
        profile,
        function: function.map(|place| FunctionCalls {
            place,
            first_call: first_call.unwrap_or(1),
            calls: calls.unwrap_or(1),
        }),
        max_cycles,
        wdt_jitter,
        host_pause_ms,
        firmware: firmware.ok_or("no firmware file is given")?,
    }))
}

fn number<T: TryFrom<u64>>(option: &str, text: &str) -> Result<T, String> {
    text.parse::<u64>()
        .ok()
        .and_then(|value| T::try_from(value).ok())
        .ok_or_else(|| format!("{option} needs a whole number that is not negative and not too large, not '{text}'"))
}
