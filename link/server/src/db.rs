//! One small face for the two databases: SQLite in a file, or PostgreSQL by its URL. SQL is written once, with `$1`,
//! `$2`, ... in the order of their first use, which both understand. What differs is here and in the schema's few
//! tokens.

use std::collections::HashMap;
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{IsNull, ToSql, Type};
use rusqlite::types::{ToSqlOutput, ValueRef};

pub use crate::db_error::{DbError, Result};
use crate::postgres_connection;

const BUSY_TIMEOUT: Duration = Duration::from_secs(20);
/// checkpoint.rs brings the log in long before. If it is held up, SQLite makes a checkpoint by itself. This holds for
/// each connection: one that writes a row now and then would bring in what the others wrote, every thousand pages.
const LOG_PAGES_AT_MOST: u32 = 262_144;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A column of many rows, to be inserted or looked up at once.
pub enum Column {
    Ints(Vec<i64>),
    OptionalInts(Vec<Option<i64>>),
    Texts(Vec<String>),
    Blobs(Vec<Vec<u8>>),
}

pub type Row = Vec<Value>;

/// Small readers of a row's cells; a cell of another type reads as nothing, zero or empty.
pub trait Cells {
    fn optional_int(&self, at: usize) -> Option<i64>;
    fn int(&self, at: usize) -> i64;
    fn text(&self, at: usize) -> &str;
    fn bytes(&self, at: usize) -> &[u8];
}

impl Cells for Row {
    fn optional_int(&self, at: usize) -> Option<i64> {
        match self.get(at) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        }
    }

    fn int(&self, at: usize) -> i64 {
        self.optional_int(at).unwrap_or(0)
    }

    fn text(&self, at: usize) -> &str {
        match self.get(at) {
            Some(Value::Text(value)) => value,
            _ => "",
        }
    }

    fn bytes(&self, at: usize) -> &[u8] {
        match self.get(at) {
            Some(Value::Bytes(value)) => value,
            _ => &[],
        }
    }
}

pub enum Db {
    Sqlite(rusqlite::Connection),
    Postgres(Box<Postgres>),
}

pub struct Postgres {
    client: postgres::Client,
    prepared: HashMap<String, postgres::Statement>,
}

/// Whether a database's name is a PostgreSQL URL rather than a file.
pub fn is_url(database: &str) -> bool {
    database.starts_with("postgresql://") || database.starts_with("postgres://")
}

impl Db {
    /// Opens the database. A PostgreSQL URL is used as it is; anything else is the path of an SQLite file.
    pub fn open(database: &str) -> Result<Db> {
        if is_url(database) {
            let mut client = postgres_connection::connect(database)?;
            // As FULL below, even where the operator's PostgreSQL trades commits for speed.
            // A server whose machine lost its power in a transaction would keep the rows of its sensors locked for two
            // hours, from all others.
            client.batch_execute(
                "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = \
                 'off'; \
                 SELECT set_config('idle_in_transaction_session_timeout', '60s', false) \
                 WHERE current_setting('idle_in_transaction_session_timeout') = '0'",
            )?;
            return Ok(Db::Postgres(Box::new(Postgres {
                client,
                prepared: HashMap::new(),
            })));
        }
        let connection = rusqlite::Connection::open(database)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // FULL: a commit is on the disk before it is acknowledged to a gateway, which then forgets the burst.
        // Small pages, in a file that is new: each sensor's next reading changes a page of its own, and all of that page
        // is written. At 50 million readings pages of 4 kB cost a quarter more processor time.
        connection.execute_batch(
            "PRAGMA page_size=1024; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        )?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES_AT_MOST)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Db::Sqlite(connection))
    }

    /// For the connection that stores readings: with room for the pages that ten thousand sensors write to.
    pub fn open_for_storing(database: &str) -> Result<Db> {
        let mut db = Db::open(database)?;
        if !db.is_postgres() {
            db.batch("PRAGMA cache_size = -65536")?;
        }
        Ok(db)
    }

    /// Calls `each` with every row of a query, without keeping them.
    pub fn for_each(&mut self, sql: &str, values: &[Value], mut each: impl FnMut(Row)) -> Result<()> {
        match self {
            Db::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                let width = statement.column_count();
                let mut rows = statement.query(rusqlite::params_from_iter(values))?;
                while let Some(row) = rows.next()? {
                    let cells: Result<Row> = (0..width).map(|at| Ok(from_sqlite(row.get_ref(at)?))).collect();
                    each(cells?);
                }
            }
            Db::Postgres(postgres) => {
                let statement = postgres.prepare(sql)?;
                let parameters = values.iter().map(|value| value as &dyn ToSql);
                let mut rows = postgres.client.query_raw(&statement, parameters)?;
                while let Some(row) = rows.next()? {
                    let cells: Result<Row> = (0..row.len()).map(|at| from_postgres(&row, at)).collect();
                    each(cells?);
                }
            }
        }
        Ok(())
    }

    pub fn is_postgres(&self) -> bool {
        matches!(self, Db::Postgres(_))
    }

    /// What the databases write differently in every schema: a number that counts up by itself, and the type of bytes.
    pub fn own_words(&self) -> (&'static str, &'static str) {
        match self {
            Db::Sqlite(_) => ("INTEGER PRIMARY KEY", "BLOB"),
            Db::Postgres(_) => ("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA"),
        }
    }

    pub fn has_column(&mut self, table: &str, column: &str) -> Result<bool> {
        let sql = if self.is_postgres() {
            "SELECT 1 FROM information_schema.columns WHERE table_schema = current_schema() \
             AND CAST(table_name AS TEXT) = $1 AND CAST(column_name AS TEXT) = $2"
        } else {
            "SELECT 1 FROM pragma_table_info($1) WHERE name = $2"
        };
        let values = [table, column].map(|text| Value::Text(text.to_owned()));
        Ok(self.query_one(sql, &values)?.is_some())
    }

    /// Several statements without parameters.
    pub fn batch(&mut self, sql: &str) -> Result<()> {
        match self {
            Db::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Db::Postgres(postgres) => Ok(postgres.client.batch_execute(sql)?),
        }
    }

    /// Runs `work` in a transaction that no other writer can come between, and undoes it if it fails.
    pub fn transaction<T, E: From<DbError>>(
        &mut self,
        work: impl FnOnce(&mut Db) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        // IMMEDIATE: two servers on one file take turns, rather than one failing when it first writes.
        self.batch(if self.is_postgres() { "BEGIN" } else { "BEGIN IMMEDIATE" })?;
        let done = work(self).and_then(|value| self.batch("COMMIT").map(|()| value).map_err(E::from));
        if done.is_err() {
            // After a full disk SQLite may have rolled back by itself; then there is nothing to undo and this says so.
            let _ = self.batch("ROLLBACK");
        }
        done
    }

    pub fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        match self {
            Db::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                Ok(statement.execute(rusqlite::params_from_iter(values))? as u64)
            }
            Db::Postgres(postgres) => {
                let statement = postgres.prepare(sql)?;
                let parameters: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
                Ok(postgres.client.execute(&statement, &parameters)?)
            }
        }
    }

    pub fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>> {
        let mut found = Vec::new();
        self.for_each(sql, values, |row| found.push(row))?;
        Ok(found)
    }

    /// The one row of a query that yields at most one.
    pub fn query_one(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// Runs one statement for many rows: a loop in SQLite, one statement over arrays in PostgreSQL.
    /// `for_postgres` reads its columns as `unnest($1, $2, ...)`.
    pub fn execute_columns(&mut self, for_sqlite: &str, for_postgres: &str, columns: &[Column]) -> Result<()> {
        let rows = columns.first().map_or(0, Column::len);
        if rows == 0 {
            return Ok(());
        }
        match self {
            Db::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(for_sqlite)?;
                for row in 0..rows {
                    statement.execute(rusqlite::params_from_iter(
                        columns.iter().map(|column| column.cell(row)),
                    ))?;
                }
            }
            Db::Postgres(postgres) => {
                let statement = postgres.prepare(for_postgres)?;
                postgres.client.execute(&statement, &parameters(columns))?;
            }
        }
        Ok(())
    }

    /// Like `execute_columns`, for a query; the rows of all.
    pub fn query_columns(&mut self, for_sqlite: &str, for_postgres: &str, columns: &[Column]) -> Result<Vec<Row>> {
        let rows = columns.first().map_or(0, Column::len);
        let mut found = Vec::new();
        if rows == 0 {
            return Ok(found);
        }
        match self {
            Db::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(for_sqlite)?;
                let width = statement.column_count();
                for row in 0..rows {
                    let mut matches = statement.query(rusqlite::params_from_iter(
                        columns.iter().map(|column| column.cell(row)),
                    ))?;
                    while let Some(cells) = matches.next()? {
                        found.push(
                            (0..width)
                                .map(|at| Ok(from_sqlite(cells.get_ref(at)?)))
                                .collect::<Result<Row>>()?,
                        );
                    }
                }
            }
            Db::Postgres(postgres) => {
                let statement = postgres.prepare(for_postgres)?;
                for row in postgres.client.query(&statement, &parameters(columns))? {
                    found.push(
                        (0..row.len())
                            .map(|at| from_postgres(&row, at))
                            .collect::<Result<Row>>()?,
                    );
                }
            }
        }
        Ok(found)
    }
}

impl Postgres {
    fn prepare(&mut self, sql: &str) -> Result<postgres::Statement> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn parameters(columns: &[Column]) -> Vec<&(dyn ToSql + Sync)> {
    columns
        .iter()
        .map(|column| match column {
            Column::Ints(values) => values as &(dyn ToSql + Sync),
            Column::OptionalInts(values) => values,
            Column::Texts(values) => values,
            Column::Blobs(values) => values,
        })
        .collect()
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Ints(values) => values.len(),
            Column::OptionalInts(values) => values.len(),
            Column::Texts(values) => values.len(),
            Column::Blobs(values) => values.len(),
        }
    }

    fn cell(&self, row: usize) -> ToSqlOutput<'_> {
        ToSqlOutput::Borrowed(match self {
            Column::Ints(values) => ValueRef::Integer(values[row]),
            Column::OptionalInts(values) => values[row].map_or(ValueRef::Null, ValueRef::Integer),
            Column::Texts(values) => ValueRef::Text(values[row].as_bytes()),
            Column::Blobs(values) => ValueRef::Blob(&values[row]),
        })
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(value) => ValueRef::Integer(*value),
            Value::Real(value) => ValueRef::Real(*value),
            Value::Text(value) => ValueRef::Text(value.as_bytes()),
            Value::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut bytes::BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(value) => value.to_sql(kind, out),
            Value::Real(value) => value.to_sql(kind, out),
            Value::Text(value) => value.to_sql(kind, out),
            Value::Bytes(value) => value.to_sql(kind, out),
        }
    }

    /// The schema has four types of column only, so that a value's own type is its column's.
    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::FLOAT8 | Type::TEXT | Type::BYTEA)
    }

    postgres::types::to_sql_checked!();
}

fn from_sqlite(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Real(value) => Value::Real(value),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned()),
        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
    }
}

fn from_postgres(row: &postgres::Row, at: usize) -> Result<Value> {
    let kind = row.columns()[at].type_().clone();
    let value = match kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map(Value::Int),
        Type::INT4 => row.try_get::<_, Option<i32>>(at)?.map(|value| Value::Int(value.into())),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(at)?.map(Value::Real),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.map(Value::Bytes),
        _ => row.try_get::<_, Option<String>>(at)?.map(Value::Text),
    };
    Ok(value.unwrap_or(Value::Null))
}
