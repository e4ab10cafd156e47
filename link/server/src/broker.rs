//! Writes mosquitto's configuration and access list.

use std::fmt::Write;

use crate::error::Result;
use crate::loopback::is_loopback;
use crate::site::{write_public, Site};

/// The common name of the servers' certificate; several servers share it.
pub const SERVER_NAME: &str = "server";

/// Writes `broker/mosquitto.conf` and `broker/acl`. `gateways` are those that may connect.
pub fn write(site: &Site, gateways: &[String]) -> Result<()> {
    let folder = site.path("broker");
    let folder = folder.display();
    let mut acl = String::from(
        "# Written by bancada link provision. One entry for each certificate's name; what is not listed is refused.\n",
    );
    let _ = write!(
        acl,
        "\nuser {SERVER_NAME}\ntopic read link/+/up\ntopic read link/+/status\ntopic write link/+/ack\n"
    );
    for gateway in gateways {
        let _ = write!(acl, "\nuser {gateway}\ntopic write link/{gateway}/up\ntopic write link/{gateway}/status\ntopic read link/{gateway}/ack\n");
    }
    write_public(&site.path("broker/acl"), acl.as_bytes())?;
    let port = site.settings.broker_port;
    // A broker that is called by a loopback name needs no other interface.
    let bind = if is_loopback(&site.settings.broker_host) {
        " 127.0.0.1"
    } else {
        ""
    };
    let user = &site.settings.broker_user;
    let configuration = format!(
        "# Written by bancada link provision; start with: mosquitto -c {folder}/mosquitto.conf\n\
         user {user}\n\
         per_listener_settings false\n\
         allow_anonymous false\n\
         acl_file {folder}/acl\n\
         # Nothing here needs to survive: gateways keep what no server has acknowledged.\n\
         persistence false\n\
         max_queued_messages 1000\n\
         # A gateway's messages are below 40 kB. What is beyond the servers' limit would cut them off, one after the other.\n\
         message_size_limit 1000000\n\
         # Says whom the access list refused a topic, and writes a line for every other message too: for a search.\n\
         # log_type all\n\
         \n\
         listener {port}{bind}\n\
         tls_version tlsv1.3\n\
         cafile {folder}/ca.crt\n\
         certfile {folder}/broker.crt\n\
         keyfile {folder}/broker.key\n\
         crlfile {folder}/crl.pem\n\
         require_certificate true\n\
         use_identity_as_username true\n"
    );
    write_public(&site.path("broker/mosquitto.conf"), configuration.as_bytes())
}
