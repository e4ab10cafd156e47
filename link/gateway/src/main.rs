//! The gateway's daemon: what the radio's microcontroller hands over is stored on disk at once, sent to the server
//! through the broker, and removed when the server has acknowledged it. See docs/reference/link-gateway.md.

#![forbid(unsafe_code)]

mod config;
mod counters;
mod failure;
mod identity;
mod keeper;
mod log;
mod mailbox;
mod notify;
mod outbox;
mod port;
mod queue;
mod receiver;
mod reconnect;
mod reminder;
mod renewal;
mod salvage;
mod session;
mod status;
mod tls;
mod uplink;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use clap::Parser;
use link_language::{parsed, say, says, Language};
use tokio::signal::unix::{signal, SignalKind};
use tokio::sync::watch;

use config::{Config, UserError};
use counters::{get, Counters};
use keeper::{Acknowledged, Keeper, Unanswered};
use mailbox::Mailbox;
use outbox::{Found, Outbox, OutboxReader};
use queue::Queue;
use receiver::{Receiver, Source};
use renewal::Renewal;
use uplink::Uplink;

const TICK: Duration = Duration::from_millis(100);
/// SIGXFSZ would end the process where a file may not grow; ignored, the write fails and the outbox waits for room.
const SIGXFSZ: i32 = 25;

/// Takes bursts from the gateway's microcontroller, keeps them on disk, and sends them until the server has them.
#[derive(Parser)]
#[command(name = "bancada-link-gateway", version)]
struct Arguments {
    /// The file of settings.
    #[arg(long, default_value = "/etc/bancada-link/gateway.toml")]
    config: PathBuf,
    /// Check the settings, the certificates and the outbox, and end.
    #[arg(long)]
    check_config: bool,
    /// Read this file or pipe once, instead of the serial port; "-" is standard input.
    #[arg(long)]
    input: Option<PathBuf>,
    /// With --input: end when it has ended and the server has acknowledged everything.
    #[arg(long, requires = "input")]
    exit_when_drained: bool,
    /// The language of what is said to people: en or pt-BR [default: by the locale]
    #[arg(long = "lang", value_name = "LANG", value_parser = Language::parse)]
    _lang: Option<Language>,
}

fn main() -> ExitCode {
    let arguments = parsed::<Arguments>();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::User(mistake)) => {
            log::error(mistake);
            ExitCode::from(2)
        }
        Err(Failure::Runtime(reason)) => {
            log::error(reason);
            ExitCode::FAILURE
        }
    }
}

enum Failure {
    User(UserError),
    Runtime(String),
}

impl From<UserError> for Failure {
    fn from(mistake: UserError) -> Failure {
        Failure::User(mistake)
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::load(&arguments.config)?;
    let (tls, identity) = tls::client(&config)?;
    let renewal = Renewal::new(identity, tls::verifier(&config)?);
    let tls = Arc::new(tls);
    if arguments.check_config && outbox::is_in_use(&config.outbox) {
        say!(
            "{}: the settings hold; a gateway is running with this outbox",
            arguments.config.display()
        );
        return Ok(());
    }
    let outbox = Outbox::open(&config.outbox)?;
    let Found {
        uuid, rows, last_id, ..
    } = outbox.found;
    let reader = OutboxReader::open(&config.outbox)?;
    if arguments.check_config {
        if arguments.input.is_none() && !config.serial.device.exists() {
            log::warning(format_args!(
                "serial.device = {}: not there now",
                config.serial.device.display()
            ));
        }
        say!(
            "{}: the settings hold; {rows} rows wait in the outbox",
            arguments.config.display()
        );
        return Ok(());
    }
    let counters = Arc::new(Counters::default());
    counters::hold(&counters.answered, outbox.found.answered);
    counters.outbox_rows.store(rows, Relaxed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|reason| Failure::Runtime(format!("cannot start: {reason}")))?;
    let (stop_flag, stop) = watch::channel(false);
    let (committed_flag, committed) = watch::channel(last_id);
    let acknowledged = Arc::new(Acknowledged::default());
    let threads = start_threads(
        arguments,
        &config,
        outbox,
        &acknowledged,
        committed_flag,
        &counters,
        &stop_flag,
    )
    .map_err(|reason| Failure::Runtime(format!("cannot start a thread: {reason}")))?;
    log::info(format_args!(
        "gateway {} {} has started; {rows} rows wait in the outbox",
        config.name,
        status::VERSION
    ));
    notify::notify("READY=1");

    let outbox_settings = config.outbox.clone();
    let uplink = Uplink {
        config,
        tls,
        renewal,
        outbox: reader,
        outbox_uuid: uuid,
        acknowledged,
        committed,
        counters: counters.clone(),
        mailbox: threads.mailbox.clone(),
        daemon: status::Daemon::begin(),
        stop,
    };
    runtime.block_on(async {
        tokio::spawn(watch_over(
            stop_flag,
            threads.stop.clone(),
            counters.clone(),
            arguments.exit_when_drained,
        ));
        reconnect::keep_connected(uplink).await;
    });
    notify::notify("STOPPING=1");
    let ended = threads.join();
    if counters.outbox_damaged.load(Relaxed) {
        // No thread holds the file any more. The next start of the daemon finds a new one.
        Outbox::replace(&outbox_settings)?;
        let lost = ended.err().map_or_else(String::new, |reason| format!("{reason}; "));
        return Err(Failure::Runtime(format!(
            "{lost}start the gateway again: it has a new outbox"
        )));
    }
    log::info(format_args!(
        "stopped; {} rows wait in the outbox",
        get(&counters.outbox_rows)
    ));
    ended.map_err(Failure::Runtime)
}

struct Threads {
    stop: Arc<AtomicBool>,
    /// What the session takes for sensors, and the serial thread lets go.
    mailbox: Arc<Mailbox>,
    receiver: JoinHandle<()>,
    keeper: JoinHandle<Result<(), String>>,
}

impl Threads {
    fn join(self) -> Result<(), String> {
        self.stop.store(true, Relaxed);
        let received = self
            .receiver
            .join()
            .map_err(|_| "the serial thread has failed".to_string());
        let kept = self
            .keeper
            .join()
            .map_err(|_| "the outbox's thread has failed".to_string());
        received.and(kept?)
    }
}

fn start_threads(
    arguments: &Arguments,
    config: &Config,
    outbox: Outbox,
    acknowledged: &Arc<Acknowledged>,
    committed: watch::Sender<u64>,
    counters: &Arc<Counters>,
    stop_flag: &watch::Sender<bool>,
) -> std::io::Result<Threads> {
    let stop = Arc::new(AtomicBool::new(false));
    let mailbox = Arc::new(Mailbox::default());
    let queue = Arc::new(Queue::default());
    let receiver = Receiver {
        source: match &arguments.input {
            Some(path) => Source::Input(path.clone()),
            None => Source::Serial(config.serial.clone()),
        },
        queue: queue.clone(),
        counters: counters.clone(),
        mailbox: mailbox.clone(),
        stop: stop.clone(),
    };
    let keeper = Keeper {
        outbox,
        queue,
        acknowledged: acknowledged.clone(),
        committed,
        counters: counters.clone(),
        stop: stop.clone(),
        collect_for: Duration::from_millis(u64::from(config.outbox.commit_ms)),
        unanswered: Unanswered::default(),
    };
    let end = stop_flag.clone();
    Ok(Threads {
        stop,
        mailbox,
        receiver: std::thread::Builder::new()
            .name("serial".into())
            .spawn(move || receiver.run())?,
        keeper: std::thread::Builder::new().name("outbox".into()).spawn(move || {
            let result = keeper.run();
            // However it ended: without it nothing can be stored.
            end.send_replace(true);
            result
        })?,
    })
}

/// Watches for signals and for the end of the work, and tells the service manager that the daemon lives.
async fn watch_over(
    stop: watch::Sender<bool>,
    stop_threads: Arc<AtomicBool>,
    counters: Arc<Counters>,
    exit_when_drained: bool,
) {
    let mut terminate = signal(SignalKind::terminate()).ok();
    let mut interrupt = signal(SignalKind::interrupt()).ok();
    let _file_size = signal(SignalKind::from_raw(SIGXFSZ));
    let mut tick = tokio::time::interval(TICK);
    let watchdog = std::env::var_os("WATCHDOG_USEC").is_some();
    let mut told = String::new();
    let mut ticks = 0_u64;
    loop {
        tokio::select! {
            () = heard(&mut terminate) => break,
            () = heard(&mut interrupt) => break,
            _ = tick.tick() => (),
        }
        let all_stored = counters.input_ended.load(Relaxed) && get(&counters.stored_rows) == get(&counters.bursts);
        if exit_when_drained && all_stored && get(&counters.outbox_rows) == 0 {
            break;
        }
        if counters.outbox_damaged.load(Relaxed) {
            break;
        }
        ticks += 1;
        if ticks % 10 != 0 {
            continue;
        }
        let connection = if counters.connected.load(Relaxed) {
            "connected"
        } else {
            "not connected"
        };
        let line = format!(
            "{}, {connection}, {} rows wait",
            status::state(&counters),
            get(&counters.outbox_rows)
        );
        if watchdog {
            notify::notify("WATCHDOG=1");
        }
        if line != told {
            notify::notify(&format!("STATUS={}", says(&line)));
            told = line;
        }
    }
    stop_threads.store(true, Relaxed);
    stop.send_replace(true);
}

async fn heard(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
