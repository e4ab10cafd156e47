//! The link's server and the provisioning of its site. Every mistake a user can make is one sentence and exit code 2.

#![forbid(unsafe_code)]

mod alarm;
mod answers;
mod audit;
mod authority;
mod backup;
mod broker;
mod burst;
mod cap;
mod checkpoint;
mod conditions;
mod configure;
mod control;
mod db;
mod db_error;
mod deliver;
mod device_key;
mod devices;
mod directory;
mod eeprom;
mod epochs;
mod error;
mod export;
mod gauge;
mod health;
mod heard;
mod hearings;
mod hex;
mod home;
mod ingest;
mod intake;
mod keys;
mod language;
mod log;
mod loopback;
mod manage;
mod message;
mod moments;
mod months;
mod mqtt;
mod notify;
mod notify_settings;
mod outboxes;
mod page;
mod page_name;
mod partitions;
mod password;
mod past;
mod pending;
mod people;
mod period;
mod places;
mod postgres_connection;
mod provision;
mod publish;
mod rain;
mod reading;
mod regions;
mod renew;
mod restored;
mod retention;
mod rows;
mod sayings;
mod schema;
mod serve;
mod set_thresholds;
mod set_users;
mod signal;
mod site;
mod suite;
mod thresholds;
mod tls;
mod token;
mod wanted;
mod window;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use link_language::{parsed, says, Language};

#[derive(Parser)]
#[command(
    name = "bancada link",
    bin_name = "bancada link",
    version,
    about = "The link's server and the provisioning of its site"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The language of what is said to people: en or pt-BR [default: by the locale]
    #[arg(long = "lang", value_name = "LANG", global = true, value_parser = Language::parse)]
    _lang: Option<Language>,
}

#[derive(Subcommand)]
enum Command {
    Provision(provision::ProvisionArgs),
    Rotate(manage::RotateArgs),
    Revoke(manage::RevokeArgs),
    Renew(renew::RenewArgs),
    Password(set_users::PasswordArgs),
    User(set_users::UserArgs),
    Places(places::PlacesArgs),
    Serve(serve::ServeArgs),
    Audit(audit::AuditArgs),
    Token(token::TokenArgs),
    Export(export::ExportArgs),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
    Thresholds(set_thresholds::ThresholdsArgs),
    Configure(configure::ConfigureArgs),
}

fn main() -> ExitCode {
    let done = match parsed::<Cli>().command {
        Command::Provision(args) => provision::provision(&args),
        Command::Rotate(args) => manage::rotate(&args),
        Command::Revoke(args) => manage::revoke(&args),
        Command::Renew(args) => renew::renew(&args),
        Command::Password(args) => set_users::password(&args),
        Command::User(args) => set_users::user(&args),
        Command::Places(args) => places::places(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Audit(args) => audit::audit(&args),
        Command::Token(args) => token::token(&args),
        Command::Export(args) => export::export(&args),
        Command::Backup(args) => backup::backup(&args),
        Command::Restore(args) => backup::restore(&args),
        Command::Thresholds(args) => set_thresholds::set(&args),
        Command::Configure(args) => configure::configure(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bancada: {}", says(&error.0));
            ExitCode::from(2)
        }
    }
}
