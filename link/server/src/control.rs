//! Tells a broker that runs what its rights are now, so that a gateway that is revoked loses its connection at once.
//!
//! The broker writes all of its rights to its file anew for each command that changes something. So it is asked first
//! what it has, and is told the difference, one command in a message: there is no number of gateways that is too large
//! for one, and a broker of many stands still for as short as it can.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rumqttc::{AsyncClient, Event, EventLoop, Incoming, MqttOptions, QoS, TlsConfiguration, Transport};
use serde_json::{json, Value};
use tokio::time::timeout;

use crate::broker::{self, gateway_role, rights, servers, ADMIN_NAME, CONTROL_RESPONSE, CONTROL_TOPIC};
use crate::error::{Result, UserError};
use crate::site::Site;
use crate::tls;

const PATIENCE: Duration = Duration::from_secs(5);
/// For the answer to one command: a broker of many gateways on a slow disk.
const ANSWER: Duration = Duration::from_secs(30);
/// Roles that are asked for at once: some 200 kB.
const PAGE: usize = 200;

/// What the broker has, by name; nothing if it does not say so in a way that is known.
type Known = Option<BTreeMap<String, Value>>;

/// Brings the broker's rights to those of these gateways; `gone` are gateways that have none any more. Whether it was
/// reached and has taken everything.
pub fn tell(site: &Site, gateways: &[String], gone: &[String]) -> Result<bool> {
    let wanted = rights(gateways, &servers(site)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| UserError(format!("The broker cannot be told: {error}.")))?;
    let (client, events) = connection(site)?;
    let mut broker = Broker { client, events };
    let told = runtime.block_on(broker.bring_to(&wanted, gone)).is_some();
    if !told {
        // It may have written its own file over what was written for its next start, and not have heard all.
        broker::write(site, gateways)?;
    }
    Ok(told)
}

pub fn connection(site: &Site) -> Result<(AsyncClient, EventLoop)> {
    let mut options = MqttOptions::new(ADMIN_NAME, site.settings.broker_host.clone(), site.settings.broker_port);
    options.set_clean_session(true);
    options.set_max_packet_size(1 << 20, 1 << 20);
    let folder = site.path("ca");
    let tls = tls::client(
        tls::roots(&folder.join("ca.crt"))?,
        Some(tls::identity(&folder, ADMIN_NAME)?),
    )?;
    options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(Arc::new(tls))));
    Ok(AsyncClient::new(options, 8))
}

struct Broker {
    client: AsyncClient,
    events: EventLoop,
}

/// Nothing, from each of these: the broker is not there, or does not have the plugin.
impl Broker {
    async fn bring_to(&mut self, (clients, roles): &(Vec<Value>, Vec<Value>), gone: &[String]) -> Option<()> {
        timeout(PATIENCE, self.begin()).await.ok()??;
        let known_roles = self.list("listRoles", "roles", "rolename").await?;
        let known_clients = self.list("listClients", "clients", "username").await?;
        for command in difference(gone, (&roles[..], &known_roles), (&clients[..], &known_clients)) {
            self.ask(&command).await?;
        }
        let _ = self.client.disconnect().await;
        let _ = timeout(PATIENCE, self.events.poll()).await;
        Some(())
    }

    /// Connects, and subscribes to the answers.
    async fn begin(&mut self) -> Option<()> {
        loop {
            match self.events.poll().await.ok()? {
                Event::Incoming(Incoming::ConnAck(_)) => {
                    self.client.subscribe(CONTROL_RESPONSE, QoS::AtLeastOnce).await.ok()?;
                }
                Event::Incoming(Incoming::SubAck(_)) => return Some(()),
                _ => {}
            }
        }
    }

    /// The answer to one command.
    async fn ask(&mut self, command: &Value) -> Option<Value> {
        let payload = json!({ "commands": [command] }).to_string();
        let sent = self.client.publish(CONTROL_TOPIC, QoS::AtLeastOnce, false, payload);
        sent.await.ok()?;
        let answer = async {
            loop {
                if let Event::Incoming(Incoming::Publish(answer)) = self.events.poll().await.ok()? {
                    let read: Value = serde_json::from_slice(&answer.payload).unwrap_or_default();
                    return Some(read["responses"][0].clone());
                }
            }
        };
        timeout(ANSWER, answer).await.ok()?
    }

    /// All that the broker has of a kind, page by page.
    async fn list(&mut self, command: &str, kind: &str, name: &str) -> Option<Known> {
        let mut found = BTreeMap::new();
        let mut offset = 0;
        loop {
            let page = json!({ "command": command, "verbose": true, "count": PAGE, "offset": offset });
            let answer = self.ask(&page).await?;
            let data = &answer["data"];
            let (Some(total), Some(some)) = (data["totalCount"].as_u64(), data[kind].as_array()) else {
                return Some(None);
            };
            found.extend(
                some.iter()
                    .filter_map(|one| Some((one[name].as_str()?.to_owned(), one.clone()))),
            );
            offset += PAGE;
            if offset as u64 >= total {
                return Some(Some(found));
            }
        }
    }
}

/// The commands that bring a broker from what it has to these roles and clients.
fn difference(gone: &[String], roles: (&[Value], &Known), clients: (&[Value], &Known)) -> Vec<Value> {
    let with = |command: &str, value: &Value| {
        let mut whole = value.clone();
        whole["command"] = json!(command);
        whole
    };
    let mut commands: Vec<Value> = Vec::new();
    for name in gone {
        commands.push(json!({ "command": "deleteClient", "username": name }));
        commands.push(json!({ "command": "deleteRole", "rolename": gateway_role(name) }));
    }
    for role in roles.0 {
        let known = roles
            .1
            .as_ref()
            .map(|known| known.get(role["rolename"].as_str().unwrap_or_default()));
        match known {
            Some(Some(there)) if acls(there) == acls(role) => {}
            // One that is there may have other rights, of a version before this.
            Some(Some(_)) => commands.push(with("modifyRole", role)),
            Some(None) => commands.push(with("createRole", role)),
            None => commands.extend(["createRole", "modifyRole"].map(|command| with(command, role))),
        }
    }
    for client in clients.0 {
        let name = client["username"].as_str().unwrap_or_default();
        if !clients.1.as_ref().is_some_and(|known| known.contains_key(name)) {
            commands.push(with("createClient", client));
        }
    }
    commands
}

/// The rights of a role, in whatever order they were told.
fn acls(role: &Value) -> Vec<String> {
    let mut acls: Vec<String> = role["acls"]
        .as_array()
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    acls.sort();
    acls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(some: &[Value], name: &str) -> Known {
        let named = some
            .iter()
            .map(|one| (one[name].as_str().expect("a name").to_owned(), one.clone()));
        Some(named.collect())
    }

    /// Command, and whom it is about.
    fn short(commands: &[Value]) -> Vec<(&str, &str)> {
        commands
            .iter()
            .map(|command| {
                let about = command["rolename"].as_str().or(command["username"].as_str());
                (command["command"].as_str().expect("a command"), about.expect("a name"))
            })
            .collect()
    }

    #[test]
    fn a_broker_is_told_what_it_does_not_have() {
        let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let (clients, roles) = rights(&names(&["mast", "roof"]), &names(&["server"]));
        let (old_clients, mut old_roles) = rights(&names(&["mast"]), &names(&["server"]));
        old_roles
            .iter_mut()
            .for_each(|role| role["acls"].as_array_mut().expect("rights").reverse());
        let there = known(&old_clients, "username");
        let told = |old_roles: &[Value], gone: &[String]| {
            difference(
                gone,
                (&roles[..], &known(old_roles, "rolename")),
                (&clients[..], &there),
            )
        };
        let roof = [("createRole", "gateway-roof"), ("createClient", "roof")];
        assert_eq!(short(&told(&old_roles, &[])), roof);
        // With all that belongs to it.
        assert_eq!(acls(&told(&old_roles, &[])[0]), acls(&roles[3]));
        let gone = [("deleteClient", "pole"), ("deleteRole", "gateway-pole")];
        assert_eq!(short(&told(&old_roles, &names(&["pole"]))), [gone, roof].concat());
        // Of a version before this.
        old_roles[0]["acls"].as_array_mut().expect("rights").pop();
        let server = [("modifyRole", "server")];
        assert_eq!(short(&told(&old_roles, &[])), [&server[..], &roof[..]].concat());
        // Of one that does not say what it has: everything.
        assert_eq!(
            difference(&[], (&roles[..], &None), (&clients[..], &None)).len(),
            2 * 4 + 4
        );
    }
}
