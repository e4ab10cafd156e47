//! One ATmega328P that starts in its bootloader, with flash that takes its time and a supply that can fail at any write
//! of it. The caller says on standard input what happens, a command a line; each is answered by a line of JSON. Time is
//! the device's: nothing depends on how fast the computer is. See docs/reference/link-bootloader.md.
//!
//! Copyright (C) 2026 the Bancada authors. Licence: GPL-3.0-or-later, because simavr is; see ../LICENSE.

mod board;
mod flash;
mod line;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::exit;

use bancada_simavr::firmware::Firmware;
use bancada_simavr::machine::ResetCause;
use bancada_simavr::serial::take_standard_output;
use serde_json::{json, Value};

use board::Board;
use flash::Cut;

const USAGE: &str = "usage: bancada-device BOOT_ADDRESS BOOTLOADER.elf; commands come on standard input, one a line: \
on SEED | reset | boot CYCLES | run CYCLES BYTES | send HEX | cut OPERATIONS begun|torn|done SEED | \
read ADDRESS LENGTH | write ADDRESS HEX";

/// A device that has looked at its receiver so often does nothing else.
const WAITING_POLLS: u64 = 5_000;

const EXIT_HOST_FAILED: i32 = 1;
const EXIT_USAGE: i32 = 2;

fn main() {
    let (code, why) = match run() {
        Ok(()) => exit(0),
        Err(failure) => failure,
    };
    eprintln!("bancada-device: {why}");
    exit(code)
}

fn run() -> Result<(), (i32, String)> {
    let usage = |why: String| (EXIT_USAGE, why);
    let failed = |error: io::Error| (EXIT_HOST_FAILED, error.to_string());
    // First of all: what simavr prints must not get between the answers.
    let mut output = take_standard_output().map_err(failed)?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [boot_address, path] = &arguments[..] else {
        return Err(usage(USAGE.to_string()));
    };
    let boot_address = number(boot_address).map_err(usage)?;
    let firmware = Firmware::read(Path::new(path)).map_err(usage)?;
    let mut board = Board::new(&firmware, boot_address as u32).map_err(usage)?;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(failed)?;
        let answer = execute(&mut board, &line).unwrap_or_else(|why| json!({ "error": why }));
        writeln!(output, "{answer}")
            .and_then(|()| output.flush())
            .map_err(failed)?;
    }
    Ok(())
}

fn execute(board: &mut Board, line: &str) -> Result<Value, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["on", seed] => board.power_on(number(seed)?),
        ["reset"] => board.reset(ResetCause::External),
        ["run", cycles, bytes] => board.run(number(cycles)?, number(bytes)? as usize, u64::MAX),
        ["boot", cycles] => board.run(number(cycles)?, usize::MAX, WAITING_POLLS),
        ["send", bytes] => board.send(&from_hex(bytes)?),
        ["cut", operations, how, seed] => {
            let cut = match how {
                "begun" => Cut::Begun,
                "torn" => Cut::Torn,
                "done" => Cut::Done,
                _ => return Err(format!("a cut is begun, torn or done, not '{how}'")),
            };
            board.cut(number(operations)?, cut, number(seed)?);
        }
        ["read", address, length] => {
            let bytes = board.read(number(address)? as usize, number(length)? as usize)?;
            return Ok(json!({ "bytes": hex(&bytes) }));
        }
        ["write", address, bytes] => board.write(number(address)? as usize, &from_hex(bytes)?)?,
        _ => return Err(format!("'{line}' is no command; {USAGE}")),
    }
    Ok(json!({
        "cycle": board.cycle(),
        "sent": hex(&board.take_sent()),
        "in_program": board.is_in_program(),
        "has_power": board.has_power(),
        "operations": board.operations(),
        "resets": board.resets(),
        "status": board.reset_status(),
        "fault": board.fault(),
    }))
}

fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    parsed.ok_or_else(|| format!("'{text}' is not a whole number"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("'{text}' is not bytes in hexadecimal");
    if !text.is_ascii() || text.len() % 2 != 0 {
        return Err(wrong());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong()))
        .collect()
}
