//! An alarm as a message of the Common Alerting Protocol, version 1.2 (OASIS, 1 July 2010), which civil-defence systems
//! take.

use time::OffsetDateTime;

/// What a message says.
pub struct Alert<'a> {
    /// Without spaces, commas, `<` and `&` (section 3.2.1), and never used twice.
    pub identifier: &'a str,
    /// Who sends; the same restriction.
    pub sender: &'a str,
    pub sent_ms: i64,
    /// Of the message that this one ends: identifier and time. Nothing: the alarm begins.
    pub ends: Option<(&'a str, i64)>,
    /// Of what people read, by RFC 3066.
    pub language: &'a str,
    pub event: &'a str,
    /// 0 is the mildest level.
    pub rank: i64,
    pub headline: &'a str,
    pub description: &'a str,
    pub area: &'a str,
}

/// The message, as XML.
pub fn xml(alert: &Alert<'_>) -> String {
    // Section 3.2.2: extraordinary, significant, possible threat to life or property.
    let severity = match alert.rank {
        0 => "Moderate",
        1 => "Severe",
        _ => "Extreme",
    };
    let (kind, references, urgency) = match alert.ends {
        None => ("Alert", String::new(), "Immediate"),
        Some((identifier, sent_ms)) => (
            "Cancel",
            format!(
                "  <references>{},{},{}</references>\n",
                escaped(alert.sender),
                escaped(identifier),
                moment(sent_ms)
            ),
            "Past",
        ),
    };
    // The elements stand in the order of the schema (section 3.4).
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <alert xmlns=\"urn:oasis:names:tc:emergency:cap:1.2\">\n  \
         <identifier>{}</identifier>\n  <sender>{}</sender>\n  <sent>{}</sent>\n  <status>Actual</status>\n  \
         <msgType>{kind}</msgType>\n  <scope>Public</scope>\n{references}  \
         <info>\n    <language>{}</language>\n    <category>Met</category>\n    <event>{}</event>\n    <urgency>{urgency}</urgency>\n    \
         <severity>{severity}</severity>\n    <certainty>Observed</certainty>\n    <headline>{}</headline>\n    \
         <description>{}</description>\n    <area>\n      <areaDesc>{}</areaDesc>\n    </area>\n  </info>\n</alert>\n",
        escaped(alert.identifier),
        escaped(alert.sender),
        moment(alert.sent_ms),
        escaped(alert.language),
        escaped(alert.event),
        escaped(alert.headline),
        escaped(alert.description),
        escaped(alert.area),
    )
}

/// Section 3.3.2: with an offset, which is `-00:00` for UTC and never `Z`; whole seconds.
fn moment(time_ms: i64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(time_ms.div_euclid(1000)).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}-00:00",
        time.year(),
        u8::from(time.month()),
        time.day(),
        time.hour(),
        time.minute(),
        time.second()
    )
}

/// Text of an element. What XML 1.0 (section 2.2) has no place for becomes a space.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => safe.push(' '),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
