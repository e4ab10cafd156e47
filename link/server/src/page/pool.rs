//! Database connections for the page. Queries block, so they run on threads that may.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::db::{Db, DbError};
use crate::log::log;

#[derive(Clone)]
pub struct Pool {
    database: Arc<str>,
    idle: Arc<Mutex<Vec<Db>>>,
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
        }
    }

    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Db) -> Result<T, DbError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let pool = self.clone();
        let done = tokio::task::spawn_blocking(move || {
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
