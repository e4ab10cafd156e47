//! Writes mosquitto's configuration: who may connect, and what each may publish and subscribe to.
//!
//! mosquitto's `acl_file` does not check subscriptions: a client with any certificate of the site could join the
//! servers' shared subscription and take their messages away. Its plugin for dynamic security checks them. Each role
//! lists its subscriptions letter by letter. The plugin takes changes while the broker runs (control.rs) and keeps them
//! in the same file.

use std::fs;
use std::os::unix::fs::{lchown, PermissionsExt};
use std::path::Path;

use link_wire::renewal;
use rustix::process::geteuid;
use serde_json::{json, Value};

use crate::error::{Result, UserError};
use crate::loopback::is_loopback;
use crate::site::{write_public, write_secret, Site};

/// The common name of the first server's certificate, and how those of further ones begin.
pub const SERVER_NAME: &str = "server";
/// The common name of the certificate that changes the broker's rights; it stays in the folder of the authority.
pub const ADMIN_NAME: &str = "admin";
pub const CONTROL_TOPIC: &str = "$CONTROL/dynamic-security/v1";
pub const CONTROL_RESPONSE: &str = "$CONTROL/dynamic-security/v1/response";
const RIGHTS: &str = "broker/dynamic-security.json";
const PLUGIN: &str = "mosquitto_dynamic_security.so";
const PLUGIN_FOLDERS: [&str; 6] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/arm-linux-gnueabihf",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
];
/// Accounts that a broker may get where provisioning ran as root, in this order.
const ACCOUNTS: [&str; 2] = ["mosquitto", "nobody"];

/// Writes `broker/mosquitto.conf` and the rights of all that may connect.
pub fn write(site: &Site, gateways: &[String]) -> Result<()> {
    let folder = site.path("broker");
    let folder = folder.display();
    let (clients, roles) = rights(gateways, &servers(site)?);
    let nothing =
        json!({ "publishClientSend": false, "publishClientReceive": false, "subscribe": false, "unsubscribe": true });
    let text = json!({ "defaultACLAccess": nothing, "clients": clients, "groups": [], "roles": roles }).to_string();
    write_secret(&site.path(RIGHTS), text.as_bytes())?;
    let port = site.settings.broker_port;
    // A broker that is called by a loopback name needs no other interface.
    let bind = if is_loopback(&site.settings.broker_host) {
        " 127.0.0.1"
    } else {
        ""
    };
    let as_root = geteuid().is_root();
    let account = account(&site.settings.broker_user, as_root)?;
    let (user, plugin) = (&account.name, plugin());
    let configuration = format!(
        "# Written by bancada link provision; start with: mosquitto -c {folder}/mosquitto.conf\n\
         user {user}\n\
         per_listener_settings false\n\
         allow_anonymous false\n\
         # Rights: this plugin checks subscriptions too, which an acl_file does not.\n\
         plugin {plugin}\n\
         plugin_opt_config_file {folder}/dynamic-security.json\n\
         # Nothing here needs to survive: gateways keep what no server has acknowledged.\n\
         persistence false\n\
         max_queued_messages 1000\n\
         # A gateway's messages are below 40 kB. What is beyond the servers' limit would cut them off, one after the \
         other.\n\
         message_size_limit 1000000\n\
         # Says whom these rights refused a topic, and writes a line for every other message too: for a search.\n\
         # log_type all\n\
         \n\
         listener {port}{bind}\n\
         tls_version tlsv1.3\n\
         cafile {folder}/ca.crt\n\
         certfile {folder}/broker.crt\n\
         keyfile {folder}/broker.key\n\
         crlfile {folder}/crl.pem\n\
         require_certificate true\n\
         use_identity_as_username true\n\
         # The certificate's name is the client id too: no client takes the connection of another by its id.\n\
         use_username_as_clientid true\n"
    );
    write_public(&site.path("broker/mosquitto.conf"), configuration.as_bytes())?;
    if as_root {
        give_away(site, &account)?;
    }
    Ok(())
}

/// What may be done by each certificate's name: the plugin's clients and roles.
pub fn rights(gateways: &[String], servers: &[String]) -> (Vec<Value>, Vec<Value>) {
    let one = |kind: &str, topic: String| json!({ "acltype": kind, "topic": topic, "priority": 0, "allow": true });
    let hears = |topic: String| {
        [
            one("subscribeLiteral", topic.clone()),
            one("publishClientReceive", topic),
        ]
    };
    let role = |name: &str, acls: Vec<Value>| json!({ "rolename": name, "acls": acls });
    let client = |name: &str, role: &str| json!({ "username": name, "roles": [{ "rolename": role, "priority": 0 }] });

    let mut server = vec![
        one("subscribeLiteral", link_wire::mqtt::UP_SUBSCRIPTION.to_owned()),
        one("publishClientReceive", "link/+/up".to_owned()),
        one("publishClientSend", "link/+/ack".to_owned()),
        one("publishClientSend", "link/+/down".to_owned()),
    ];
    server.extend(hears("link/+/status".to_owned()));
    let mut admin = vec![one("publishClientSend", CONTROL_TOPIC.to_owned())];
    admin.extend(hears(CONTROL_RESPONSE.to_owned()));
    // It signs what gateways ask for (renew.rs), and takes their request away.
    admin.push(one("subscribeLiteral", renewal::REQUESTS.to_owned()));
    for (kind, topic) in [
        ("publishClientReceive", renewal::REQUESTS),
        ("publishClientSend", renewal::REQUESTS),
        ("publishClientSend", "link/+/certificate"),
    ] {
        admin.push(one(kind, topic.to_owned()));
    }
    let mut roles = vec![role(SERVER_NAME, server), role(ADMIN_NAME, admin)];
    let mut clients = vec![client(ADMIN_NAME, ADMIN_NAME)];
    clients.extend(servers.iter().map(|name| client(name, SERVER_NAME)));
    for gateway in gateways {
        let own = gateway_role(gateway);
        let mut acls = vec![
            one("publishClientSend", format!("link/{gateway}/up")),
            one("publishClientSend", format!("link/{gateway}/status")),
            one("publishClientSend", renewal::request_topic(gateway)),
        ];
        acls.extend(hears(format!("link/{gateway}/ack")));
        acls.extend(hears(format!("link/{gateway}/down")));
        acls.extend(hears(renewal::certificate_topic(gateway)));
        roles.push(role(&own, acls));
        clients.push(client(gateway, &own));
    }
    (clients, roles)
}

pub fn gateway_role(gateway: &str) -> String {
    format!("gateway-{gateway}")
}

/// The names of the servers that have a certificate.
pub fn servers(site: &Site) -> Result<Vec<String>> {
    let folder = site.path("server");
    let failed = |error: std::io::Error| UserError(format!("{} cannot be read: {error}.", folder.display()));
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        found.extend(
            name.strip_suffix(".crt")
                .filter(|stem| is_server(stem))
                .map(str::to_owned),
        );
    }
    found.sort();
    Ok(found)
}

/// Whether a certificate of this name is a server's.
pub fn is_server(name: &str) -> bool {
    name == SERVER_NAME || name.starts_with("server-")
}

/// Where the plugin is on this machine, or is likely to be on the broker's.
fn plugin() -> String {
    let found = PLUGIN_FOLDERS
        .iter()
        .map(|folder| format!("{folder}/{PLUGIN}"))
        .find(|path| Path::new(path).is_file());
    found.unwrap_or_else(|| format!("/usr/lib/{}-linux-gnu/{PLUGIN}", std::env::consts::ARCH))
}

struct Account {
    name: String,
    /// Numbers of user and group; of an account on another machine they are not known here.
    ids: Option<(u32, u32)>,
}

/// The account that the broker gets. As root it would give an attacker the machine: where provisioning ran as root,
/// another is taken.
fn account(wanted: &str, as_root: bool) -> Result<Account> {
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let ids_of = |name: &str| {
        let line = accounts.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut numbers = line.split(':').skip(2);
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    };
    let named = |name: &str| Account {
        name: name.to_owned(),
        ids: ids_of(name),
    };
    if wanted != "root" {
        return Ok(named(wanted));
    }
    let other = ACCOUNTS
        .iter()
        .map(|name| named(name))
        .find(|account| account.ids.is_some());
    match other {
        Some(account) => Ok(account),
        None if !as_root => Ok(named("mosquitto")),
        None => Err(UserError(
            "The broker must not run as root, and there is no account 'mosquitto': name one with --broker-user NAME."
                .into(),
        )),
    }
}

/// Gives the broker's folder to its account, and lets that through the site's folder without showing what is in it.
fn give_away(site: &Site, account: &Account) -> Result<()> {
    let Some((user, group)) = account.ids else {
        return Ok(());
    };
    let failed = |error: std::io::Error| {
        UserError(format!(
            "{} cannot be given to the account '{}': {error}.",
            site.path("broker").display(),
            account.name
        ))
    };
    let folder = site.path("broker");
    // Of an account that may write in the site's folder, root takes no link for a folder.
    if !fs::symlink_metadata(&folder).map_err(failed)?.is_dir() {
        return Err(failed(std::io::ErrorKind::NotADirectory.into()));
    }
    fs::set_permissions(&site.folder, fs::Permissions::from_mode(0o711)).map_err(failed)?;
    for entry in fs::read_dir(&folder).map_err(failed)? {
        lchown(entry.map_err(failed)?.path(), Some(user), Some(group)).map_err(failed)?;
    }
    lchown(&folder, Some(user), Some(group)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_given_what_is_anothers() {
        let (clients, roles) = rights(&["roof".into(), "mast".into()], &["server".into(), "server-2".into()]);
        assert_eq!(clients.len(), 5);
        let role = |name: &str| {
            roles
                .iter()
                .find(|role| role["rolename"] == name)
                .expect("a role")
                .to_string()
        };
        assert!(!role("gateway-roof").contains("mast") && !role("gateway-roof").contains('+'));
        assert!(!role("gateway-roof").contains("subscribePattern") && !role("server").contains("subscribePattern"));
        assert!(!role("server").contains("CONTROL"));
    }

    #[test]
    fn the_broker_never_gets_the_account_root() {
        let name = |wanted, as_root| account(wanted, as_root).map_or(String::new(), |account| account.name);
        assert_ne!(name("root", false), "root");
        assert_ne!(name("root", true), "root");
        assert_eq!(name("somebody", true), "somebody");
    }
}
