//! What the engine tells its caller: one JSON object a line.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::FromRawFd;

use serde::Serialize;

use crate::instructions::{Kind, REPORTED_KINDS};

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'a> {
    Pty {
        path: &'a str,
    },
    Main {
        cycle: u64,
    },
    Ready {
        cycle: u64,
    },
    Region {
        index: u64,
        cycles: u64,
        region_cycles: u64,
        stack_bytes: u16,
        instructions: u64,
        classes: Classes,
    },
    Reset {
        cycle: u64,
    },
    EndOfInput {
        cycle: u64,
    },
    Halt {
        cycle: u64,
    },
    Fault {
        reason: &'a str,
        pc: u32,
        symbol: Option<&'a str>,
        cycle: u64,
    },
    Profile {
        functions: Vec<FunctionCost<'a>>,
        addresses: Vec<AddressCost<'a>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        stacks: Vec<StackCost<'a>>,
    },
}

/// Executed instructions of each kind.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Classes {
    arithmetic: u64,
    multiply: u64,
    load: u64,
    store: u64,
    lpm: u64,
    branch: u64,
    call_return: u64,
    io: u64,
    other: u64,
}

impl Classes {
    pub fn from_counts(counts: &[u64; REPORTED_KINDS]) -> Self {
        let of = |kind: Kind| counts[kind as usize];
        Classes {
            arithmetic: of(Kind::Arithmetic),
            multiply: of(Kind::Multiply),
            load: of(Kind::Load),
            store: of(Kind::Store),
            lpm: of(Kind::Lpm),
            branch: of(Kind::Branch),
            call_return: of(Kind::CallReturn),
            io: of(Kind::InputOutput),
            other: of(Kind::Other),
        }
    }
}

#[derive(Serialize)]
pub struct FunctionCost<'a> {
    pub name: &'a str,
    pub cycles: u64,
    pub calls: u64,
}

#[derive(Serialize)]
pub struct AddressCost<'a> {
    pub address: u32,
    pub cycles: u64,
    pub count: u64,
    pub symbol: Option<&'a str>,
}

/// A function as it was reached by the functions above it: `parent` is the place of the one that called it.
#[derive(Serialize)]
pub struct StackCost<'a> {
    pub parent: Option<u32>,
    pub name: Option<&'a str>,
    pub cycles: u64,
    pub calls: u64,
}

/// Where events go. Never buffered: an event is out before any UART byte that comes after it.
pub struct EventSink {
    file: Box<dyn Write>,
}

impl EventSink {
    pub fn to_stderr() -> Self {
        EventSink {
            file: Box::new(io::stderr()),
        }
    }

    pub fn to_descriptor(descriptor: i32) -> io::Result<Self> {
        // SAFETY: F_GETFD only asks whether the descriptor is open.
        if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is open, was handed to this program for this purpose, and nothing
        // else here uses it.
        let file = unsafe { File::from_raw_fd(descriptor) };
        Ok(EventSink { file: Box::new(file) })
    }

    pub fn send(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.flush()
    }
}
