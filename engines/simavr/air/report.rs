//! What the simulation says: one JSON object a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::{json, Map, Value};

/// Counts of one node, for the summary.
#[derive(Default, Clone, Serialize)]
pub struct Counts {
    pub sent: u64,
    pub collided: u64,
    /// Cut off by a failing supply.
    pub aborted: u64,
    /// Packets of this node that each other node understood, by the other's name.
    pub delivered_to: Map<String, Value>,
    pub heard: u64,
    pub air_time_us: u64,
    pub complaints: u64,
    pub resets: u64,
    pub torn_writes: u64,
    pub eeprom_writes: u64,
    pub eeprom_writes_of_busiest_cell: u64,
    pub rain_pulses: u64,
    pub uart_bytes: u64,
    pub uart_bytes_dropped: u64,
}

pub struct Report {
    output: BufWriter<File>,
    /// None: all.
    wanted: Option<Vec<String>>,
}

impl Report {
    pub fn new(output: File, wanted: Option<Vec<String>>) -> Report {
        Report {
            output: BufWriter::new(output),
            wanted,
        }
    }

    fn wants(&self, event: &str) -> bool {
        match &self.wanted {
            None => true,
            Some(wanted) => wanted.iter().any(|each| each == event),
        }
    }

    /// `fields` is a JSON object.
    pub fn event(&mut self, time_ns: u64, event: &str, node: &str, fields: Value) -> io::Result<()> {
        if !self.wants(event) {
            return Ok(());
        }
        self.line(json!({"event": event, "time_us": time_ns / 1000, "node": node}), fields)
    }

    /// What is never left out.
    pub fn always(&mut self, event: &str, fields: Value) -> io::Result<()> {
        self.line(json!({"event": event}), fields)?;
        self.flush()
    }

    fn line(&mut self, mut object: Value, fields: Value) -> io::Result<()> {
        if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
            object.extend(fields);
        }
        serde_json::to_writer(&mut self.output, &object)?;
        self.output.write_all(b"\n")
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
