//! Why a connection to the broker ended, in words for an operator.

use rumqttc::v5::mqttbytes::v5::{ConnectReturnCode, DisconnectReasonCode};
use rumqttc::v5::mqttbytes::Error as MqttError;
use rumqttc::v5::{ConnectionError, StateError};

use crate::tls;

pub fn explain(failure: &ConnectionError) -> String {
    match failure {
        ConnectionError::Timeout(_) => "no answer".into(),
        ConnectionError::MqttState(StateError::AwaitPingResp) => "no answer any more".into(),
        ConnectionError::MqttState(StateError::ConnectionAborted) => {
            // mosquitto 2.0 does not say why, not even when another client has taken the name.
            "the broker closed the connection; if this repeats: are there two gateways with one certificate?".into()
        }
        ConnectionError::MqttState(StateError::ServerDisconnect { reason_code, .. }) => match reason_code {
            DisconnectReasonCode::SessionTakenOver => {
                "another client with this gateway's name has connected: two gateways with one certificate?".into()
            }
            DisconnectReasonCode::ServerShuttingDown => "the broker is shutting down".into(),
            other => format!("the broker ended the connection: {other:?}"),
        },
        ConnectionError::ConnectionRefused(code)
        | ConnectionError::MqttState(StateError::ConnFail { reason: code }) => match code {
            ConnectReturnCode::NotAuthorized | ConnectReturnCode::BadUserNamePassword => {
                "the broker does not let this gateway in: its certificate's name is not allowed".into()
            }
            other => format!("the broker refuses: {other:?}"),
        },
        // This one has no `source`, though what is wrong may be TLS.
        ConnectionError::MqttState(StateError::Deserialization(MqttError::Io(inner))) => tls::explain(inner),
        other => tls::explain(other),
    }
}
