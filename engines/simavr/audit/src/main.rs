//! Follows secrets through AVR firmware and reports what depends on them. See docs/reference/audit.md.
//!
//! The command line is that of `bancada-simavr`, and `--secret ADDRESS:LENGTH`, any number of times: bytes of RAM that
//! are secret whenever a region begins. Two events are reported for each region: `region`, as the engine's, and
//! `secrets`.
//!
//! Copyright (C) 2026 the Bancada authors. Licence: GPL-3.0-or-later, because simavr is; see ../LICENSE.

mod cpu;
mod findings;
mod flags;
mod follower;
mod taint;
#[cfg(test)]
mod taint_tests;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::FromRawFd;
use std::process::exit;
use std::time::Duration;

use bancada_simavr::firmware::Firmware;
use bancada_simavr::machine::Machine;
use bancada_simavr::options::{self, Options, Request};
use bancada_simavr::{serial, uart};

use follower::{Follower, Outcome, Secret};

const EXIT_HOST_FAILED: i32 = 1;
const EXIT_USAGE: i32 = 2;
const EXIT_FAULT: i32 = 3;

const EXCHANGES_PER_SECOND: u32 = 1000;

fn main() {
    let (secrets, others) = match split(std::env::args().skip(1)) {
        Ok(parts) => parts,
        Err(why) => fail(EXIT_USAGE, &why),
    };
    let options = match options::parse(others.into_iter()) {
        Ok(Request::Run(options)) => options,
        Ok(Request::Help) => return println!("{} [--secret ADDRESS:LENGTH]...", options::USAGE),
        Ok(Request::Version) => return println!("{}", options::VERSION),
        Err(why) => fail(EXIT_USAGE, &why),
    };
    match run(&options, secrets) {
        Ok(Outcome::Finished) => exit(0),
        Ok(Outcome::Faulted) => exit(EXIT_FAULT),
        Err(Failure::Usage(why)) => fail(EXIT_USAGE, &why),
        Err(Failure::Host(why)) => fail(EXIT_HOST_FAILED, &why),
    }
}

fn fail(code: i32, why: &str) -> ! {
    eprintln!("bancada-audit: {why}");
    exit(code)
}

enum Failure {
    Usage(String),
    Host(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Host(format!("the caller can no longer be reached: {error}"))
    }
}

/// The secrets, and the arguments that are the engine's.
fn split(arguments: impl Iterator<Item = String>) -> Result<(Vec<Secret>, Vec<String>), String> {
    let (mut secrets, mut others) = (Vec::new(), Vec::new());
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        if argument == "--secret" {
            secrets.push(secret(&arguments.next().unwrap_or_default())?);
        } else {
            others.push(argument);
        }
    }
    Ok((secrets, others))
}

fn secret(text: &str) -> Result<Secret, String> {
    let parts = text.split_once(':').and_then(|(address, length)| {
        Some(Secret {
            address: address.parse().ok()?,
            length: length.parse().ok()?,
        })
    });
    parts.ok_or_else(|| format!("--secret takes ADDRESS:LENGTH in decimal, not '{text}'"))
}

fn run(options: &Options, secrets: Vec<Secret>) -> Result<Outcome, Failure> {
    // First of all: from here on, what simavr prints cannot get into the UART's bytes.
    let uart_output = serial::take_standard_output()?;
    let firmware = Firmware::read(&options.firmware).map_err(Failure::Usage)?;
    let machine = Machine::new(&options.mcu, options.frequency, &firmware).map_err(Failure::Usage)?;
    let events: Box<dyn Write> = match options.events {
        None => Box::new(io::stderr()),
        // SAFETY: the caller hands the descriptor to this program for this purpose, and nothing else here uses it.
        Some(descriptor) => Box::new(unsafe { File::from_raw_fd(descriptor) }),
    };
    let port = serial::open(options.uart, uart_output)?;
    let host_pause = Duration::from_millis(options.host_pause_ms);
    let uart = uart::Uart::connect(&machine, port, options.frequency, host_pause).map_err(Failure::Usage)?;
    let exchange_interval = u64::from((options.frequency / EXCHANGES_PER_SECOND).max(1));
    Ok(Follower::new(machine, uart, &firmware, events, secrets, exchange_interval).run()?)
}
