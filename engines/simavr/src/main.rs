//! Runs AVR firmware in simavr and reports what it costs. See docs/reference/engine-simavr.md.
//!
//! Copyright (C) 2025 the Bancada authors. Licence: GPL-3.0-or-later, because simavr is; see LICENSE.

use std::process::exit;
use std::time::Duration;

use bancada_simavr::events::{self, EventSink};
use bancada_simavr::firmware::Firmware;
use bancada_simavr::machine::Machine;
use bancada_simavr::options::{self, Options, Request};
use bancada_simavr::runner::{Outcome, Runner};
use bancada_simavr::{serial, uart, watchdog};

const EXIT_HOST_FAILED: i32 = 1;
const EXIT_USAGE: i32 = 2;
const EXIT_FAULT: i32 = 3;

fn main() {
    let options = match options::parse(std::env::args().skip(1)) {
        Ok(Request::Run(options)) => options,
        Ok(Request::Help) => return println!("{}", options::USAGE),
        Ok(Request::Version) => return println!("{}", options::VERSION),
        Err(why) => fail(EXIT_USAGE, &why),
    };
    match run(&options) {
        Ok(Outcome::Finished) => exit(0),
        Ok(Outcome::Faulted) => exit(EXIT_FAULT),
        Err(Failure::Usage(why)) => fail(EXIT_USAGE, &why),
        Err(Failure::Host(why)) => fail(EXIT_HOST_FAILED, &why),
    }
}

fn fail(code: i32, why: &str) -> ! {
    eprintln!("bancada-simavr: {why}");
    exit(code)
}

enum Failure {
    Usage(String),
    Host(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Host(format!("the caller can no longer be reached: {error}"))
    }
}

fn run(options: &Options) -> Result<Outcome, Failure> {
    // First of all: from here on, what simavr prints cannot get into the UART's bytes.
    let uart_output = serial::take_standard_output()?;
    let mut events = match options.events {
        None => EventSink::to_stderr(),
        Some(descriptor) => EventSink::to_descriptor(descriptor)
            .map_err(|error| Failure::Usage(format!("--events {descriptor} cannot be written to: {error}")))?,
    };
    let firmware = Firmware::read(&options.firmware).map_err(Failure::Usage)?;
    let machine = Machine::new(&options.mcu, options.frequency, &firmware).map_err(Failure::Usage)?;
    if let Some(seed) = options.wdt_jitter {
        watchdog::add_jitter(&machine, seed).map_err(Failure::Usage)?;
    }
    let port = serial::open(options.uart, uart_output)?;
    if let Some(path) = port.pty_path() {
        events.send(&events::Event::Pty { path })?;
    }
    let uart = uart::Uart::connect(
        &machine,
        port,
        options.frequency,
        Duration::from_millis(options.host_pause_ms),
    )
    .map_err(Failure::Usage)?;
    let mut runner = Runner::new(machine, uart, &firmware, events, options).map_err(Failure::Usage)?;
    Ok(runner.run()?)
}
