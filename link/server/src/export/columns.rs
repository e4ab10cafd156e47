//! Readings as a file of Apache Parquet: columns, for pandas, DuckDB, Spark and others.

use std::io::{self, Write};
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::Encoding;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::Reading;

/// So many readings are in memory at a time: about 6 MB.
const ROWS_OF_A_GROUP: usize = 65_536;

/// The times are instants, in milliseconds of UTC.
const SCHEMA: &str = "message readings {
    required int64 time (TIMESTAMP(MILLIS, true));
    required int32 device;
    required binary name (STRING);
    required int32 epoch;
    required int64 counter;
    required double rain_mm;
    required double temperature_c;
    required double supply_v;
    required int32 flags;
    required int64 sensor_time_s;
    required int64 received (TIMESTAMP(MILLIS, true));
    required int64 stored (TIMESTAMP(MILLIS, true));
}";

/// The columns of a group of rows.
#[derive(Default)]
struct Group {
    time_ms: Vec<i64>,
    device: Vec<i32>,
    name: Vec<ByteArray>,
    epoch: Vec<i32>,
    counter: Vec<i64>,
    rain_mm: Vec<f64>,
    temperature_c: Vec<f64>,
    supply_v: Vec<f64>,
    flags: Vec<i32>,
    sensor_time_s: Vec<i64>,
    received_ms: Vec<i64>,
    stored_ms: Vec<i64>,
}

/// What is written until somebody takes it.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub struct Columns {
    file: SerializedFileWriter<Written>,
    group: Group,
    written: Written,
}

impl Columns {
    pub fn new() -> io::Result<Columns> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(io::Error::other)?);
        let properties = WriterProperties::builder().set_encoding(Encoding::PLAIN).build();
        let written = Written::default();
        let file = SerializedFileWriter::new(written.clone(), schema, Arc::new(properties));
        Ok(Columns {
            file: file.map_err(io::Error::other)?,
            group: Group::default(),
            written,
        })
    }

    /// What was written of the file since this was last called.
    pub fn take(&mut self) -> Vec<u8> {
        take(&mut self.written.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn add(&mut self, reading: &Reading) -> io::Result<()> {
        let group = &mut self.group;
        group.time_ms.push(reading.time_ms);
        group.device.push(narrow(reading.device)?);
        group.name.push(reading.name.into());
        group.epoch.push(narrow(reading.epoch)?);
        group.counter.push(reading.counter);
        group.rain_mm.push(reading.rain_mm);
        group.temperature_c.push(reading.temperature_c);
        group.supply_v.push(reading.supply_v);
        group.flags.push(narrow(reading.flags)?);
        group.sensor_time_s.push(reading.sensor_time_s);
        group.received_ms.push(reading.received_ms);
        group.stored_ms.push(reading.stored_ms);
        match group.time_ms.len() >= ROWS_OF_A_GROUP {
            true => self.write_group().map_err(io::Error::other),
            false => Ok(()),
        }
    }

    /// Writes the rest of the file.
    pub fn finish(&mut self) -> io::Result<()> {
        if !self.group.time_ms.is_empty() {
            self.write_group().map_err(io::Error::other)?;
        }
        self.file.finish().map(|_| ()).map_err(io::Error::other)
    }

    /// The columns in the order of the schema.
    fn write_group(&mut self) -> Result<()> {
        let group = take(&mut self.group);
        let mut rows = self.file.next_row_group()?;
        column::<Int64Type>(&mut rows, &group.time_ms)?;
        column::<Int32Type>(&mut rows, &group.device)?;
        column::<ByteArrayType>(&mut rows, &group.name)?;
        column::<Int32Type>(&mut rows, &group.epoch)?;
        column::<Int64Type>(&mut rows, &group.counter)?;
        column::<DoubleType>(&mut rows, &group.rain_mm)?;
        column::<DoubleType>(&mut rows, &group.temperature_c)?;
        column::<DoubleType>(&mut rows, &group.supply_v)?;
        column::<Int32Type>(&mut rows, &group.flags)?;
        column::<Int64Type>(&mut rows, &group.sensor_time_s)?;
        column::<Int64Type>(&mut rows, &group.received_ms)?;
        column::<Int64Type>(&mut rows, &group.stored_ms)?;
        rows.close().map(|_| ())
    }
}

fn column<T: DataType>(rows: &mut SerializedRowGroupWriter<Written>, values: &[T::T]) -> Result<()> {
    let mut column = rows.next_column()?.expect("the schema has a column more");
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

fn narrow(number: i64) -> io::Result<i32> {
    i32::try_from(number).map_err(io::Error::other)
}
