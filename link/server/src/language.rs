//! Messages about alarms in the language of the site: the page's catalogue (page/pt-BR.po), whose messages have
//! placeholders in braces. What the catalogue does not have stays in English.

use serde::{Deserialize, Serialize};

/// What people are told in: `language` of the part `[notify]` of site.toml.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "pt-BR")]
    Portuguese,
}

impl Language {
    /// Its name in RFC 3066, as CAP asks for it.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "en-US",
            Language::Portuguese => "pt-BR",
        }
    }

    /// A sentence as this language has it.
    pub fn says(self, english: &str) -> String {
        match self {
            Language::English => english.to_owned(),
            Language::Portuguese => translated(&messages(), english),
        }
    }
}

/// Message and text of each entry, the message with most letters of its own first.
fn messages() -> Vec<(String, String)> {
    let (mut found, mut entry, mut is_text) = (Vec::new(), (String::new(), String::new()), false);
    for line in include_str!("../page/pt-BR.po").lines().chain(["msgid \"\""]) {
        let Some(at) = line.find('"') else { continue };
        if line.starts_with("msgid ") {
            found.push(std::mem::take(&mut entry));
            is_text = false;
        } else if line.starts_with("msgstr ") {
            is_text = true;
        } else if !line.starts_with('"') {
            continue;
        }
        let part = if is_text { &mut entry.1 } else { &mut entry.0 };
        part.push_str(&serde_json::from_str::<String>(&line[at..]).unwrap_or_default());
    }
    found.retain(|(message, _)| !message.is_empty());
    found.sort_by_key(|(message, _)| {
        std::cmp::Reverse(pieces(message).0.iter().map(|piece| piece.len()).sum::<usize>())
    });
    found
}

/// The literal pieces of a message, and the names of the placeholders between them.
fn pieces(message: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut literals, mut names, mut rest) = (Vec::new(), Vec::new(), message);
    while let Some((literal, (name, behind))) = rest
        .split_once('{')
        .and_then(|(literal, more)| Some((literal, more.split_once('}')?)))
    {
        literals.push(literal);
        names.push(name);
        rest = behind;
    }
    literals.push(rest);
    (literals, names)
}

/// What stands for each placeholder, if the sentence has the form of the message.
fn values<'a>(message: &str, said: &'a str) -> Option<Vec<&'a str>> {
    let (literals, names) = pieces(message);
    let (first, last) = (literals[0], literals[literals.len() - 1]);
    if names.is_empty() {
        return (message == said).then(Vec::new);
    }
    let mut rest = said.strip_prefix(first)?;
    let mut found = Vec::new();
    for literal in &literals[1..literals.len() - 1] {
        let (value, behind) = rest.split_once(literal)?;
        found.push(value);
        rest = behind;
    }
    found.push(rest.strip_suffix(last)?);
    Some(found)
}

fn translated(messages: &[(String, String)], said: &str) -> String {
    for (message, text) in messages {
        if let Some(found) = values(message, said) {
            let names = pieces(message).1;
            return names.iter().zip(found).fold(text.clone(), |text, (name, value)| {
                text.replace(&format!("{{{name}}}"), &translated(messages, value))
            });
        }
    }
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_stays() {
        assert_eq!(Language::English.says("Battery low: Sensor 1"), "Battery low: Sensor 1");
    }

    #[test]
    fn the_form_of_a_sentence_is_found_and_filled() {
        let portuguese = |english| Language::Portuguese.says(english);
        assert_eq!(portuguese("Battery low: Ribeira"), "Bateria fraca: Ribeira");
        assert_eq!(portuguese("Rain: flood: Ribeira"), "Chuva: flood: Ribeira");
        assert_eq!(
            portuguese("Sensor 7: 60 mm in 3 h and more since 2026-11-24 10:00 UTC; the threshold is 50 mm in 3 h."),
            "Sensor 7: 60 mm em 3 h e mais desde 2026-11-24 10:00 UTC; o limiar é 50 mm em 3 h."
        );
        assert_eq!(
            portuguese("Over: Rain alarm: Ribeira"),
            "Terminou: Alarme de chuva: Ribeira"
        );
        assert_eq!(
            portuguese("a sentence that nobody wrote"),
            "a sentence that nobody wrote"
        );
    }

    #[test]
    fn a_name_with_braces_is_only_a_name() {
        assert_eq!(
            Language::Portuguese.says("Battery low: {name}"),
            "Bateria fraca: {name}"
        );
    }
}
