//! A gettext catalogue whose messages have placeholders in braces: each message is the form of many sentences.

/// Message and text of each entry of a .po file, the message with most letters of its own first.
pub struct Catalogue(Vec<(String, String)>);

impl Catalogue {
    /// Reads a .po file (GNU gettext, "The Format of PO Files"); entries without a text are left out.
    pub fn read(po: &str) -> Catalogue {
        let (mut found, mut entry, mut is_text) = (Vec::new(), (String::new(), String::new()), false);
        for line in po.lines().chain(["msgid \"\""]) {
            let Some(at) = line.find('"').filter(|_| !line.starts_with('#')) else {
                continue;
            };
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
        found.retain(|(message, text)| !message.is_empty() && !text.is_empty());
        found.sort_by_key(|(message, _)| {
            std::cmp::Reverse(pieces(message).0.iter().map(|piece| piece.len()).sum::<usize>())
        });
        Catalogue(found)
    }

    /// The sentence in the catalogue's language; itself if it has no form of the catalogue. What stands for a
    /// placeholder is translated in its turn, unless it is in quotation marks.
    pub fn says(&self, said: &str) -> String {
        for (message, text) in &self.0 {
            let Some(found) = values(message, said) else { continue };
            let (literals, names) = pieces(message);
            let filled = |(at, value): (usize, &str)| match literals[at].ends_with(['\'', '"']) {
                true => value.to_owned(),
                false => self.says(value),
            };
            let values: Vec<String> = found.into_iter().enumerate().map(filled).collect();
            return fill(text, &names, &values);
        }
        said.to_owned()
    }

    /// A text of several lines: each line, and each part of one behind two spaces, is a sentence.
    pub fn says_text(&self, said: &str) -> String {
        let line = |line: &str| -> String {
            let core = line.trim();
            let told: Vec<String> = core.split("  ").map(|part| self.part(part)).collect();
            line.replacen(core, &told.join("  "), 1)
        };
        said.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// A help has its last point where it is shown whole, and not where it is one line of a list.
    fn part(&self, part: &str) -> String {
        let core = part.trim();
        if core.is_empty() {
            return part.to_owned();
        }
        let told = match core.strip_suffix('.').and_then(|sentence| self.exact(sentence)) {
            Some(text) => format!("{text}."),
            None => self.says(core),
        };
        part.replacen(core, &told, 1)
    }

    fn exact(&self, said: &str) -> Option<&str> {
        let found = self.0.iter().find(|(message, _)| message == said);
        found.map(|(_, text)| text.as_str())
    }
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

/// The text with a value for each name: in one pass, so that braces in a value mean nothing.
fn fill(text: &str, names: &[&str], values: &[String]) -> String {
    let (literals, places) = pieces(text);
    let mut filled = literals[0].to_owned();
    for (place, literal) in places.iter().zip(&literals[1..]) {
        let at = names.iter().position(|name| name == place);
        filled.push_str(at.map_or("", |at| values[at].as_str()));
        filled.push_str(literal);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::Catalogue;

    const PO: &str = r#"
# A comment, which may have "quotation marks" in it.
msgid ""
msgstr ""
"Language: pt_BR\n"

msgid "{where}: {why}"
msgstr "{where}: {why}"

msgid "no answer"
msgstr "sem resposta"

msgid "There is no gateway '{name}'."
msgstr "Não há o gateway '{name}'."

msgid "{count} rows "
"wait: {why}"
msgstr "{why}: {count} linhas "
"esperam"

msgid "not yet"
msgstr ""
"#;

    #[test]
    fn a_sentence_has_the_form_with_most_letters() {
        let catalogue = Catalogue::read(PO);
        assert_eq!(
            catalogue.says("7 rows wait: no answer"),
            "sem resposta: 7 linhas esperam"
        );
        assert_eq!(catalogue.says("COM1: no answer"), "COM1: sem resposta");
        assert_eq!(catalogue.says("not yet"), "not yet");
    }

    #[test]
    fn what_is_in_quotation_marks_is_a_name() {
        let says = |english| Catalogue::read(PO).says(english);
        assert_eq!(
            says("There is no gateway 'no answer'."),
            "Não há o gateway 'no answer'."
        );
    }

    #[test]
    fn braces_in_a_value_mean_nothing() {
        let says = |english| Catalogue::read(PO).says(english);
        assert_eq!(says("{count} rows wait: {count}"), "{count}: {count} linhas esperam");
    }

    #[test]
    fn a_text_keeps_its_columns_and_lines() {
        let catalogue = Catalogue::read(PO);
        assert_eq!(
            catalogue.says_text("  -x  no answer\n\n    no answer.\n"),
            "  -x  sem resposta\n\n    sem resposta.\n"
        );
    }
}
