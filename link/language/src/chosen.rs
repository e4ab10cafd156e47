//! Which language is spoken: --lang, else what the environment says.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// What people are told in. `Default` is what a site's messages are in that says nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "pt-BR")]
    Portuguese,
}

// GNU gettext, "Locale Environment Variables" and "The LANGUAGE variable": the first that is set.
const VARIABLES: [&str; 4] = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"];

impl Language {
    /// Its name in RFC 3066, as CAP asks for it.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "en-US",
            Language::Portuguese => "pt-BR",
        }
    }

    /// The value of --lang: `en`, `pt-BR` or `pt_BR`.
    pub fn parse(text: &str) -> Result<Language, String> {
        match text {
            "en" => Ok(Language::English),
            "pt-BR" | "pt_BR" => Ok(Language::Portuguese),
            _ => Err("en or pt-BR".into()),
        }
    }

    /// By the locale: any Portuguese is that of Brazil, any other language English.
    fn of(variable: impl Fn(&str) -> Option<String>) -> Language {
        let wanted = VARIABLES
            .into_iter()
            .filter_map(variable)
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        match wanted.to_ascii_lowercase().starts_with("pt") {
            true => Language::Portuguese,
            false => Language::English,
        }
    }
}

static SPOKEN: OnceLock<Language> = OnceLock::new();

/// Sets the language of this process, before anything is said: the first call counts.
pub fn speak(language: Language) {
    let _ = SPOKEN.set(language);
}

/// The language of this process: what `speak` has set, else that of the environment.
pub fn spoken() -> Language {
    *SPOKEN.get_or_init(|| Language::of(|name| std::env::var(name).ok()))
}

#[cfg(test)]
mod tests {
    use super::Language;

    fn of(environment: &[(&str, &str)]) -> Language {
        Language::of(|name| {
            let found = environment.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_first_variable_that_is_set_counts() {
        assert_eq!(of(&[]), Language::English);
        assert_eq!(of(&[("LANG", "pt_BR.UTF-8")]), Language::Portuguese);
        assert_eq!(of(&[("LANG", "pt_BR.UTF-8"), ("LC_ALL", "C.UTF-8")]), Language::English);
        assert_eq!(of(&[("LANG", "C"), ("LC_MESSAGES", "pt_PT")]), Language::Portuguese);
        assert_eq!(of(&[("LC_ALL", ""), ("LANG", "pt")]), Language::Portuguese);
        assert_eq!(of(&[("LANGUAGE", "pt_BR"), ("LC_ALL", "en_US")]), Language::Portuguese);
    }

    #[test]
    fn a_value_of_the_option_is_one_of_two() {
        assert_eq!(Language::parse("pt-BR"), Ok(Language::Portuguese));
        assert_eq!(Language::parse("en"), Ok(Language::English));
        assert!(Language::parse("fr").is_err());
    }
}
