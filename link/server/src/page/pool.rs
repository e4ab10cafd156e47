//! Database connections for the page. Queries block, so they run on threads that may.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::db::{Db, DbError};
use crate::log::log;

/// Queries that may run at once: browsers with a week of readings on the screen must not take the whole machine.
const MOST_AT_ONCE: usize = 4;

#[derive(Clone)]
pub struct Pool {
    database: Arc<str>,
    idle: Arc<Mutex<Vec<Db>>>,
    turns: Arc<Semaphore>,
}

/// The database does not answer; the page says so and tries again.
#[derive(Debug)]
pub struct Unavailable;

impl IntoResponse for Unavailable {
    fn into_response(self) -> Response {
        (StatusCode::SERVICE_UNAVAILABLE, "The database does not answer.").into_response()
    }
}

impl Pool {
    pub fn new(database: &str) -> Pool {
        Pool {
            database: database.into(),
            idle: Arc::default(),
            turns: Arc::new(Semaphore::new(MOST_AT_ONCE)),
        }
    }

    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Db) -> Result<T, DbError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        // Never closed, so there is always a turn to come.
        let turn = self.turns.clone().acquire_owned().await.map_err(|_| Unavailable)?;
        let pool = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let idle = pool.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut db = match idle {
                Some(db) => db,
                None => Db::open(&pool.database)?,
            };
            let result = work(&mut db)?; // a connection that failed is not used again
            pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(db);
            Ok::<T, DbError>(result)
        });
        match done.await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => {
                log(&format!("page: {error}"));
                Err(Unavailable)
            }
            Err(_) => Err(Unavailable),
        }
    }
}
