//! A program's arguments: what is said about them is in the language that they ask for.

use std::io::Write;
use std::process::exit;

use clap::Parser;

use crate::chosen::{speak, Language};
use crate::said::says_text;

/// The program's arguments, which have an option `--lang`. A help text or a mistake ends the program, as clap would.
pub fn parsed<Arguments: Parser>() -> Arguments {
    // Before the others: their mistakes are told in that language.
    if let Some(language) = asked(std::env::args()) {
        speak(language);
    }
    Arguments::try_parse().unwrap_or_else(|told| {
        let text = says_text(&told.render().to_string());
        // Where nothing can be written, the exit code still tells.
        let _ = match told.use_stderr() {
            true => std::io::stderr().write_all(text.as_bytes()),
            false => std::io::stdout().write_all(text.as_bytes()),
        };
        exit(told.exit_code());
    })
}

/// The last `--lang` that is a language.
fn asked(arguments: impl Iterator<Item = String>) -> Option<Language> {
    let mut last = None;
    let mut is_next = false;
    for argument in arguments {
        let value = match is_next {
            true => Some(argument.as_str()),
            false => argument.strip_prefix("--lang="),
        };
        last = value.and_then(|value| Language::parse(value).ok()).or(last);
        is_next = argument == "--lang";
    }
    last
}

#[cfg(test)]
mod tests {
    use super::{asked, Language};

    fn of(line: &str) -> Option<Language> {
        asked(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn the_option_may_be_anywhere_and_wrong() {
        assert_eq!(of("program serve"), None);
        assert_eq!(of("program --lang pt-BR serve --nope"), Some(Language::Portuguese));
        assert_eq!(of("program serve --lang=en"), Some(Language::English));
        assert_eq!(of("program serve --lang"), None);
        assert_eq!(of("program --lang fr"), None);
    }
}
