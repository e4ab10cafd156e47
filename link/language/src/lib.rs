//! The languages of the link's programs: English, and Brazilian Portuguese by a gettext catalogue.
//!
//! Sentences are in English where they arise; they are translated where a person sees them: a line of the log, a line
//! on standard output, an error at the end, a help text. What other programs read (JSON, CSV, metrics, MQTT) is the
//! same in every language. README.md of this folder says how to add a message.

#![forbid(unsafe_code)]

mod catalogue;
mod chosen;
mod command_line;
mod said;

pub use catalogue::Catalogue;
pub use chosen::{speak, spoken, Language};
pub use command_line::parsed;
pub use said::says;

/// `println!` in the language that this program speaks.
#[macro_export]
macro_rules! say {
    ($($sentence:tt)*) => {
        println!("{}", $crate::says(&format!($($sentence)*)))
    };
}
