//! What the programs say, in the language that they speak.

use std::sync::LazyLock;

use crate::catalogue::Catalogue;
use crate::chosen::{spoken, Language};

/// The page has a catalogue of its own.
static PROGRAMS: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(include_str!("../pt_BR.po")));

/// The sentence in the language that this program speaks; itself if the catalogue does not have it.
pub fn says(english: &str) -> String {
    match spoken() {
        Language::English => english.to_owned(),
        Language::Portuguese => PROGRAMS.says(english),
    }
}

/// A text of several lines, such as a help: each line, and each part of one behind two spaces, is a sentence.
pub fn says_text(english: &str) -> String {
    match spoken() {
        Language::English => english.to_owned(),
        Language::Portuguese => PROGRAMS.says_text(english),
    }
}
