//! Messages about alarms in the language of the site: the page's catalogue (page/pt-BR.po).

use std::sync::LazyLock;

use link_language::{Catalogue, Language};

static PAGE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(include_str!("../page/pt-BR.po")));

/// A sentence of an alarm as the language has it; in English if the page's catalogue does not have it.
pub fn in_language(language: Language, english: &str) -> String {
    match language {
        Language::English => english.to_owned(),
        Language::Portuguese => PAGE.says(english),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_language, Language};

    #[test]
    fn english_stays() {
        let said = in_language(Language::English, "Battery low: Sensor 1");
        assert_eq!(said, "Battery low: Sensor 1");
    }

    #[test]
    fn the_form_of_a_sentence_is_found_and_filled() {
        let portuguese = |english| in_language(Language::Portuguese, english);
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
        let said = in_language(Language::Portuguese, "Battery low: {name}");
        assert_eq!(said, "Bateria fraca: {name}");
    }
}
