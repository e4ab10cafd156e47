//! What the two programs of this crate share: `bancada-simavr` (src/main.rs) runs and measures one device,
//! `bancada-air` (air/main.rs) runs several that share a radio channel.

pub mod events;
pub mod firmware;
pub mod function;
pub mod instructions;
pub mod machine;
pub mod options;
pub mod profile;
pub mod random;
pub mod region;
pub mod runner;
pub mod serial;
pub mod stacks;
pub mod uart;
pub mod watchdog;
