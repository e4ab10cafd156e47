//! The page's part about people: for administrators who there is and who logged in, and for everybody their own
//! password.

use std::sync::Arc;

use axum::extract::{ConnectInfo, Extension, Form, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::Json;
use serde::Deserialize;
use serde_json::json;

use super::auth::Visitor;
use super::gate::Gate;
use super::peer::{neighbourhood, Peer};
use super::pool::Pool;
use crate::db::{Cells, Db, Row};
use crate::password;
use crate::people::{self, Role};

const SHOWN_LOGINS: u32 = 100;
const LAST_ADMINISTRATOR: &str = "This is the last administrator: make another one first.";

#[derive(Deserialize)]
pub struct Named {
    name: String,
}

#[derive(Deserialize)]
pub struct NamedRole {
    name: String,
    role: String,
}

#[derive(Deserialize)]
pub struct OwnPassword {
    old: String,
    new: String,
}

fn refused(why: impl Into<String>) -> Response {
    (StatusCode::CONFLICT, why.into()).into_response()
}

fn read(db: &mut Db) -> crate::db::Result<serde_json::Value> {
    let accounts = db.query(
        "SELECT a.name, a.role, (SELECT MAX(l.time_ms) FROM login l WHERE l.account = a.name AND l.outcome = 'in') \
         FROM account a ORDER BY a.name",
        &[],
    )?;
    let sql = format!(
        "SELECT number, time_ms, account, address, outcome FROM login ORDER BY number DESC LIMIT {SHOWN_LOGINS}"
    );
    let logins = db.query(&sql, &[])?;
    let account = |row: &Row| json!({ "name": row.text(0), "role": row.text(1), "last_ms": row.optional_int(2) });
    let login = |row: &Row| json!({ "time_ms": row.int(1), "account": row.text(2), "address": row.text(3), "outcome": row.text(4) });
    Ok(json!({
        "accounts": accounts.iter().map(account).collect::<Vec<_>>(),
        "logins": logins.iter().map(login).collect::<Vec<_>>(),
    }))
}

pub async fn list(State(pool): State<Pool>) -> Response {
    match pool.run(read).await {
        Ok(found) => Json(found).into_response(),
        Err(unavailable) => unavailable.into_response(),
    }
}

/// A drawn password and its hash, which takes its time.
async fn draw() -> Option<(String, String)> {
    let drawn = tokio::task::spawn_blocking(|| {
        let drawn = password::draw()?;
        let hash = password::hash(&drawn)?;
        Ok::<_, crate::error::UserError>((drawn, hash))
    });
    drawn.await.ok()?.ok()
}

/// Adds somebody; the answer holds the password, which is drawn and told this once.
pub async fn add(State(gate): State<Arc<Gate>>, State(pool): State<Pool>, Form(asked): Form<NamedRole>) -> Response {
    let name = asked.name.trim().to_owned();
    if let Err(wrong) = people::check_name(&name) {
        return refused(wrong);
    }
    let Ok(role) = Role::parse(&asked.role) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    give_password(&gate, &pool, name, Some(role)).await
}

/// Draws a new password for somebody.
pub async fn reset(State(gate): State<Arc<Gate>>, State(pool): State<Pool>, Form(asked): Form<Named>) -> Response {
    give_password(&gate, &pool, asked.name, None).await
}

/// `new`: the role of somebody who is not there yet.
async fn give_password(gate: &Gate, pool: &Pool, name: String, new: Option<Role>) -> Response {
    let Ok(_turn) = gate.hashing.acquire().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let Some((drawn, hash)) = draw().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let done = pool.run(move |db| {
        let known = people::find(db, &name)?;
        match (known, new) {
            (None, Some(role)) => people::set_password(db, &name, role, &hash)?,
            (Some(account), None) => return people::change_password(db, &name, &account.hash, &hash),
            _ => return Ok(false),
        }
        Ok(true)
    });
    match done.await {
        Ok(true) => Json(json!({ "password": drawn })).into_response(),
        Ok(false) if new.is_some() => refused("There is a user of this name."),
        Ok(false) => refused("There is no user of this name."),
        Err(unavailable) => unavailable.into_response(),
    }
}

pub async fn set_role(State(pool): State<Pool>, Form(asked): Form<NamedRole>) -> Response {
    let Ok(role) = Role::parse(&asked.role) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let done = pool.run(move |db| people::set_role(db, &asked.name, role)).await;
    told(done)
}

pub async fn remove(State(pool): State<Pool>, Form(asked): Form<Named>) -> Response {
    let done = pool.run(move |db| people::remove(db, &asked.name)).await;
    told(done)
}

fn told(done: Result<bool, super::pool::Unavailable>) -> Response {
    match done {
        Ok(true) => StatusCode::NO_CONTENT.into_response(),
        Ok(false) => refused(LAST_ADMINISTRATOR),
        Err(unavailable) => unavailable.into_response(),
    }
}

/// Somebody's own password, by the old one. A session that somebody left open must not be enough, nor a way to guess.
pub async fn set_own(
    State(gate): State<Arc<Gate>>,
    State(pool): State<Pool>,
    Extension(visitor): Extension<Visitor>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    Form(asked): Form<OwnPassword>,
) -> Response {
    let address = neighbourhood(peer.ip());
    let Ok(_turn) = gate.hashing.acquire().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    if !gate.wait(address, &visitor.name, false).is_zero() {
        return (StatusCode::TOO_MANY_REQUESTS, "Too many attempts. Try again later.").into_response();
    }
    let name = visitor.name.clone();
    let account = match pool.run(move |db| people::find(db, &name)).await {
        Ok(account) => account,
        Err(unavailable) => return unavailable.into_response(),
    };
    let checked = tokio::task::spawn_blocking(move || {
        let account = account.filter(|account| password::matches(&account.hash, &asked.old))?;
        Some(match password::hash(&asked.new) {
            Ok(hash) => Ok((account.hash, hash)),
            Err(wrong) => Err(wrong.0),
        })
    });
    match checked.await {
        Ok(Some(Ok((old, hash)))) => {
            gate.note(address, &visitor.name, true);
            let set = move |db: &mut Db| people::change_password(db, &visitor.name, &old, &hash);
            match pool.run(set).await {
                Ok(true) => StatusCode::NO_CONTENT.into_response(),
                Ok(false) => refused("The old password is wrong."),
                Err(unavailable) => unavailable.into_response(),
            }
        }
        Ok(Some(Err(wrong))) => refused(wrong),
        _ => {
            gate.note(address, &visitor.name, false);
            refused("The old password is wrong.")
        }
    }
}
