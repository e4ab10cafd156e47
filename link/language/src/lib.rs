//! The languages of the link's programs: English, and Brazilian Portuguese by a gettext catalogue.
//!
//! Sentences are in English where they arise; they are translated where a person sees them: a line of the log, a line
//! on standard output, an error at the end, a help text. What other programs read (JSON, CSV, metrics, MQTT) is the
//! same in every language. README.md of this folder says how to add a message.

#![forbid(unsafe_code)]

mod catalogue;
mod chosen;
mod command_line;

use std::sync::LazyLock;

pub use catalogue::Catalogue;
pub use chosen::{speak, spoken, Language};
pub use command_line::parsed;

/// What the programs say. The page has a catalogue of its own.
static PROGRAMS: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(include_str!("../pt_BR.po")));

/// The sentence in the language that this program speaks; itself if the catalogue does not have it.
pub fn says(english: &str) -> String {
    match spoken() {
        Language::English => english.to_owned(),
        Language::Portuguese => PROGRAMS.says(english),
    }
}

/// A text of several lines, such as a help: each line, and each part of one behind two spaces, is a sentence.
fn says_text(english: &str) -> String {
    match spoken() {
        Language::English => english.to_owned(),
        Language::Portuguese => PROGRAMS.says_text(english),
    }
}

/// `println!` in the language that this program speaks.
#[macro_export]
macro_rules! say {
    ($($sentence:tt)*) => {
        println!("{}", $crate::says(&format!($($sentence)*)))
    };
}
