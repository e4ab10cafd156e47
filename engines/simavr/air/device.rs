//! Parts of a simulated device that need no more than its machine: its supply, its RAM's contents, the end of its
//! serial port, and what it did with its time.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use bancada_simavr::machine::{Machine, SleepMode};
use bancada_simavr::random::Random;
use bancada_simavr::serial;
use bancada_simavr::uart::Uart;
use serde_json::{json, Map, Value};

use crate::config::{self, UartEnd};
use crate::node::Events;

pub fn set_supply(machine: &Machine, millivolts: u32) {
    // SAFETY: plain fields of an initialised machine, which its ADC reads.
    unsafe {
        let avr = machine.raw();
        (*avr).vcc = millivolts;
        (*avr).avcc = millivolts;
        (*avr).aref = millivolts;
    }
}

/// RAM after a power failure: anything.
pub fn randomise_ram(machine: &Machine, random: &mut Random) {
    // SAFETY: from the end of the registers to the end of the allocated data space.
    unsafe {
        let avr = machine.raw();
        for address in usize::from((*avr).ioend) + 1..=usize::from((*avr).ramend) {
            *(*avr).data.add(address) = random.next_u64() as u8;
        }
    }
}

pub fn connect_uart(
    machine: &Machine,
    config: &config::FirmwareNode,
    events: &mut Events,
) -> Result<Option<Uart>, String> {
    let failed = |what: &str, error: std::io::Error| format!("{}: cannot make {what}: {error}", config.name);
    let port = match &config.uart {
        None => return Ok(None),
        Some(UartEnd::File(path)) => {
            let file = File::create(path).map_err(|error| failed(&path.display().to_string(), error))?;
            serial::one_way(Some(file))
        }
        Some(UartEnd::Answered) => serial::one_way(None),
        Some(UartEnd::Pty) => serial::pseudo_terminal().map_err(|error| failed("a pseudo-terminal", error))?,
    };
    if let Some(path) = port.pty_path() {
        events.tell(0, "pty", json!({"path": path}));
    }
    Uart::connect(machine, port, config.frequency, Duration::ZERO).map(Some)
}

/// How much of its time the device spent awake and in each sleep mode, as parts of 1.
pub fn shares_of_time(machine: &Machine, still_cycles: u64) -> Value {
    const MODES: [(&str, SleepMode); 5] = [
        ("idle", SleepMode::Idle),
        ("adc-noise-reduction", SleepMode::AdcNoiseReduction),
        ("power-down", SleepMode::PowerDown),
        ("power-save", SleepMode::PowerSave),
        ("standby", SleepMode::Standby),
    ];
    let all = machine.cycle().max(1) as f64;
    let mut shares = Map::new();
    let mut not_awake = still_cycles;
    for (name, mode) in MODES {
        not_awake += machine.slept_cycles(mode);
        shares.insert(name.into(), json!(machine.slept_cycles(mode) as f64 / all));
    }
    shares.insert("still".into(), json!(still_cycles as f64 / all));
    shares.insert(
        "awake".into(),
        json!(machine.cycle().saturating_sub(not_awake) as f64 / all),
    );
    Value::Object(shares)
}

/// A file with the EEPROM's contents, to which each later write goes too.
pub fn create_image(path: &Path, contents: &[u8]) -> Result<File, String> {
    let created = File::create(path).and_then(|file| file.write_all_at(contents, 0).map(|()| file));
    created.map_err(|error| format!("cannot write {}: {error}", path.display()))
}
