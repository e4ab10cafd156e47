//! Tells a broker that runs what its rights are now, so that a gateway that is revoked loses its connection at once.

use std::sync::Arc;
use std::time::Duration;

use rumqttc::{AsyncClient, Event, EventLoop, Incoming, MqttOptions, QoS, TlsConfiguration, Transport};
use serde_json::{json, Value};

use crate::broker::{gateway_role, rights, servers, ADMIN_NAME, CONTROL_RESPONSE, CONTROL_TOPIC};
use crate::error::{Result, UserError};
use crate::site::Site;
use crate::tls;

const PATIENCE: Duration = Duration::from_secs(5);

/// Brings the broker's rights to those of these gateways; `gone` are gateways that have none any more.
///
/// What it has already it is told again, so that nothing depends on what it was told before. Whether it was reached.
pub fn tell(site: &Site, gateways: &[String], gone: &[String]) -> Result<bool> {
    let (clients, roles) = rights(gateways, &servers(site)?);
    let mut commands: Vec<Value> = Vec::new();
    for name in gone {
        commands.push(json!({ "command": "deleteClient", "username": name }));
        commands.push(json!({ "command": "deleteRole", "rolename": gateway_role(name) }));
    }
    let with = |command: &str, value: Value| {
        let mut whole = value;
        whole["command"] = json!(command);
        whole
    };
    for role in roles {
        commands.push(with("createRole", role.clone()));
        // One that is there may have other rights, of a version before this.
        commands.push(with("modifyRole", role));
    }
    commands.extend(clients.into_iter().map(|client| with("createClient", client)));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| UserError(format!("The broker cannot be told: {error}.")))?;
    let (client, events) = connection(site)?;
    let payload = json!({ "commands": commands }).to_string();
    Ok(runtime.block_on(async {
        tokio::time::timeout(PATIENCE, exchange(client, events, payload))
            .await
            .unwrap_or(false)
    }))
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

/// Sends the commands and waits for the answer to them; false if the broker is not there or does not have the plugin.
async fn exchange(client: AsyncClient, mut events: EventLoop, payload: String) -> bool {
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Incoming::ConnAck(_))) => {
                if client.subscribe(CONTROL_RESPONSE, QoS::AtLeastOnce).await.is_err() {
                    return false;
                }
            }
            Ok(Event::Incoming(Incoming::SubAck(_))) => {
                let sent = client.publish(CONTROL_TOPIC, QoS::AtLeastOnce, false, payload.clone());
                if sent.await.is_err() {
                    return false;
                }
            }
            Ok(Event::Incoming(Incoming::Publish(_))) => {
                let _ = client.disconnect().await;
                let _ = events.poll().await;
                return true;
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}
