//! Publishes messages at an MQTT broker of the user's own, such as that of Home Assistant, and waits until it has taken
//! all of them. It is not the site's broker: nobody but gateways and servers has rights there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rumqttc::{Client, Event, Incoming, MqttOptions, QoS, TlsConfiguration, Transport};

use crate::notify_settings::Mqtt;
use crate::tls;

/// Without a word of the broker.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_BYTES: usize = 1 << 20;

pub struct Message {
    pub topic: String,
    /// Nothing, if it is retained, takes back what was retained under the topic.
    pub payload: String,
    pub retain: bool,
}

/// Publishes them in their order with QoS 1; why that did not work. Some may have been taken then.
pub fn publish(settings: &Mqtt, name: &str, messages: Vec<Message>) -> Result<(), String> {
    let mut options = MqttOptions::new(name, settings.host.clone(), settings.port);
    options
        .set_clean_session(true)
        .set_max_packet_size(MOST_BYTES, MOST_BYTES);
    if let (Some(user), Some(password)) = (&settings.user, &settings.password) {
        options.set_credentials(user.clone(), password.clone());
    }
    if let Some(ca) = &settings.ca {
        let roots = tls::roots(ca).map_err(|error| error.0)?;
        let config = tls::client(roots, None).map_err(|error| error.0)?;
        options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(Arc::new(config))));
    }
    let wanted = messages.len();
    let (client, mut connection) = Client::new(options, wanted + 1);
    for message in messages {
        client
            .publish(message.topic, QoS::AtLeastOnce, message.retain, message.payload)
            .map_err(|error| error.to_string())?;
    }
    let mut taken = 0;
    let mut heard = Instant::now();
    while taken < wanted {
        let left = PATIENCE.checked_sub(heard.elapsed()).ok_or("it does not answer")?;
        match connection.recv_timeout(left) {
            Ok(Ok(Event::Incoming(Incoming::PubAck(_)))) => {
                taken += 1;
                heard = Instant::now();
            }
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(error.to_string()),
            Err(_) => return Err("it does not answer".into()),
        }
    }
    // What it says to a farewell changes nothing.
    if client.disconnect().is_ok() {
        let _ = connection.recv_timeout(Duration::from_secs(1));
    }
    Ok(())
}
