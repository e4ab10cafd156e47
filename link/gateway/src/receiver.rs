//! The thread that reads the serial port: bytes in, bursts out to the keeper of the outbox.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use link_wire::burst::{Burst, Joiner};
use link_wire::serial::{encode_transmit, Damage, Deframer, Payload, Status};

use crate::config;
use crate::counters::{add, get, Counters};
use crate::log;
use crate::mailbox::Mailbox;
use crate::port::Port;
use crate::queue::Queue;

const STOP_CHECK: Duration = Duration::from_millis(100);
const REOPEN_FIRST: Duration = Duration::from_millis(100);
const REOPEN_LAST: Duration = Duration::from_secs(2);
/// A port that stays open for so long works; one that goes at once is not reported each time.
const STEADY: Duration = Duration::from_secs(1);
const LOOSE_CONTACT: u32 = 3;
/// The microcontroller reports every 10 s; three reports missed is silence.
const SILENCE: Duration = Duration::from_secs(30);
/// At most one line about damaged frames in this time.
const DAMAGE_REPORT: Duration = Duration::from_secs(60);

/// Where the bytes come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// Reopened for ever when it goes.
    Serial(config::Serial),
    /// Read once to its end; `-` is standard input.
    Input(PathBuf),
}

enum End {
    Stopped,
    InputEnded,
    /// With a sentence for the operator.
    Gone {
        was_open: bool,
        reason: String,
    },
}

pub struct Receiver {
    pub source: Source,
    pub queue: Arc<Queue>,
    pub counters: Arc<Counters>,
    pub mailbox: Arc<Mailbox>,
    pub stop: Arc<AtomicBool>,
}

impl Receiver {
    /// Runs until it is stopped, or an input has ended.
    pub fn run(self) {
        self.receive();
        self.queue.close();
    }

    fn receive(&self) {
        let mut stream = Stream::new(self.counters.clone());
        let mut pause = REOPEN_FIRST;
        // What was said last of a port that cannot be used: said once, however often it is tried.
        let mut complaint = String::new();
        // How often in a row the port went as soon as it had come: a loose contact, about which there is no more to
        // say.
        let mut unsteady = 0;
        while !self.stop.load(Relaxed) {
            let opened = Instant::now();
            let end = match self.open() {
                Ok(mut port) => {
                    if unsteady < LOOSE_CONTACT {
                        log::info(format_args!("{} is open", self.name()));
                        complaint.clear();
                    }
                    self.work(&mut port, &mut stream)
                }
                Err(reason) => End::Gone {
                    was_open: false,
                    reason: format!("cannot open {} ({reason}): trying until it is there", self.name()),
                },
            };
            match end {
                End::Stopped => return,
                End::InputEnded => {
                    log::info(format_args!("{} has ended", self.name()));
                    return self.rest();
                }
                End::Gone { was_open, reason } => {
                    let steady = opened.elapsed() >= STEADY;
                    unsteady = if was_open && !steady { unsteady + 1 } else { 0 };
                    if steady {
                        pause = REOPEN_FIRST;
                    }
                    if complaint != reason && unsteady <= LOOSE_CONTACT {
                        log::error(&reason);
                        complaint = reason;
                    }
                }
            }
            let until = Instant::now() + pause;
            pause = (pause * 2).min(REOPEN_LAST);
            while Instant::now() < until && !self.stop.load(Relaxed) {
                std::thread::sleep(STOP_CHECK.min(until.saturating_duration_since(Instant::now())));
            }
        }
    }

    /// The keeper works for as long as this thread lives, and acknowledgements are still to come.
    fn rest(&self) {
        self.counters.input_ended.store(true, Relaxed);
        while !self.stop.load(Relaxed) {
            std::thread::sleep(STOP_CHECK);
        }
    }

    fn name(&self) -> String {
        match &self.source {
            Source::Serial(serial) => format!("the serial port {}", serial.device.display()),
            Source::Input(path) => format!("the input {}", path.display()),
        }
    }

    fn open(&self) -> io::Result<Port> {
        match &self.source {
            Source::Serial(serial) => Port::serial(&serial.device, serial.baud),
            Source::Input(path) if path.as_os_str() == "-" => Port::standard_input(),
            Source::Input(path) => Port::input(path),
        }
    }

    /// Reads an open port until it ends.
    fn work(&self, port: &mut Port, stream: &mut Stream) -> End {
        add(&self.counters.port_openings, 1);
        self.counters.port_open.store(true, Relaxed);
        let end = self.read(port, stream);
        self.counters.port_open.store(false, Relaxed);
        let mut last = Vec::new();
        stream.interrupted(&mut last);
        self.hand_over(last);
        match (end, &self.source) {
            (Ok(()), _) => End::Stopped,
            (Err(_), Source::Input(_)) => End::InputEnded,
            (Err(reason), Source::Serial(_)) => End::Gone {
                was_open: true,
                reason: format!("{} is gone ({reason}): waiting for it to come back", self.name()),
            },
        }
    }

    /// Ok if stopped, an error if the port or the input has ended.
    fn read(&self, port: &mut Port, stream: &mut Stream) -> io::Result<()> {
        stream.opened();
        while !self.stop.load(Relaxed) {
            let mut bursts = Vec::new();
            if let Some(bytes) = port.read(stream.patience())? {
                stream.take(bytes, &mut bursts);
            }
            stream.idle(&mut bursts);
            self.answer(port, &bursts);
            self.hand_over(bursts);
        }
        Ok(())
    }

    /// The devices whose frames these are listen now: what waits for them goes first of all.
    fn answer(&self, port: &mut Port, bursts: &[Burst]) {
        for burst in bursts {
            for frame in self.mailbox.take(&burst.bytes, Instant::now()) {
                let mut message = Vec::new();
                encode_transmit(&frame, &mut message);
                let counted = match port.send(&message) {
                    true => &self.counters.down_written,
                    false => &self.counters.down_lost,
                };
                add(counted, 1);
            }
        }
    }

    fn hand_over(&self, bursts: Vec<Burst>) {
        if bursts.is_empty() {
            return;
        }
        add(&self.counters.bursts, bursts.len() as u64);
        // Waits here while the keeper cannot store: then the port is not read either.
        self.queue.add(bursts);
    }
}

/// The state of the serial stream, across openings of the port.
struct Stream {
    counters: Arc<Counters>,
    deframer: Deframer,
    joiner: Joiner,
    started: Instant,
    last_frame: Instant,
    silent: bool,
    garbage_since_frame: u64,
    damage_reported: Option<(Instant, u64)>,
    /// The microcontroller's last report, and our count of its chunks at that time.
    reported: Option<(Status, u64)>,
}

impl Stream {
    fn new(counters: Arc<Counters>) -> Stream {
        let now = Instant::now();
        Stream {
            counters,
            deframer: Deframer::default(),
            joiner: Joiner::default(),
            started: now,
            last_frame: now,
            silent: false,
            garbage_since_frame: 0,
            damage_reported: None,
            reported: None,
        }
    }

    fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn opened(&mut self) {
        self.deframer = Deframer::default();
        self.last_frame = Instant::now();
        self.silent = false;
        self.garbage_since_frame = 0;
    }

    /// How long to wait for bytes before `idle` has something to do.
    fn patience(&self) -> Duration {
        let deadline = self
            .joiner
            .deadline_ms()
            .map(|at| Duration::from_millis(at.saturating_sub(self.now_ms())));
        deadline.map_or(STOP_CHECK, |wait| wait.min(STOP_CHECK))
    }

    fn take(&mut self, bytes: &[u8], bursts: &mut Vec<Burst>) {
        add(&self.counters.serial_bytes, bytes.len() as u64);
        self.garbage_since_frame += bytes.len() as u64;
        let received_ms = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as u64);
        let now_ms = self.now_ms();
        let mut deframer = std::mem::take(&mut self.deframer);
        deframer.push(bytes, |frame| self.frame(frame, received_ms, now_ms, bursts));
        self.deframer = deframer;
    }

    fn frame(&mut self, frame: Result<Payload, Damage>, received_ms: u64, now_ms: u64, bursts: &mut Vec<Burst>) {
        let payload = match frame {
            Ok(payload) => payload,
            Err(damage) => return self.damaged(damage, bursts),
        };
        add(&self.counters.frames, 1);
        self.garbage_since_frame = 0;
        self.last_frame = Instant::now();
        if std::mem::take(&mut self.silent) {
            log::info("the microcontroller is heard again");
        }
        match payload {
            Payload::Received {
                continues,
                signal,
                bytes,
                ..
            } => {
                self.counters.signal.store(signal, Relaxed);
                add(&self.counters.chunks, 1);
                self.joiner
                    .chunk(continues, &bytes, received_ms, now_ms, |burst| bursts.push(burst));
            }
            Payload::Status(status) => self.status(status),
            Payload::Paper { .. } => {
                if self.counters.paper_frames.fetch_add(1, Relaxed) == 0 {
                    log::error(
                        "the microcontroller runs the study's experiment (paper mode), which authenticates nothing: \
                         its \
                         packets are counted and not forwarded; flash the gateway firmware without LINK_PAPER_MODE",
                    );
                }
            }
        }
    }

    fn damaged(&mut self, damage: Damage, bursts: &mut Vec<Burst>) {
        add(&self.counters.damaged_frames, 1);
        self.joiner.gap(|burst| bursts.push(burst));
        let total = get(&self.counters.damaged_frames);
        // The first stretch after opening is the rest of a frame that began earlier: no news.
        if get(&self.counters.frames) == 0 && total == 1 {
            return;
        }
        let due = self.damage_reported.is_none_or(|(at, _)| at.elapsed() >= DAMAGE_REPORT);
        if due {
            let before = self.damage_reported.map_or(0, |(_, count)| count);
            log::warning(format_args!(
                "{} damaged frames on the serial line, the last: {damage}",
                total - before
            ));
            self.damage_reported = Some((Instant::now(), total));
        }
    }

    fn status(&mut self, status: Status) {
        let chunks = get(&self.counters.chunks);
        if let Some((before, chunks_before)) = self.reported {
            if status.chunks < before.chunks || status.uptime_ms < before.uptime_ms {
                log::info(format_args!(
                    "the microcontroller has restarted ({} ms ago)",
                    status.uptime_ms
                ));
            } else {
                let sent = u64::from(status.chunks - before.chunks);
                let lost = sent.saturating_sub(chunks - chunks_before);
                if lost > 0 {
                    add(&self.counters.lost_chunks, lost);
                    log::warning(format_args!(
                        "the serial line lost {lost} of {sent} chunks since the last report"
                    ));
                }
                let overruns = status.overruns.wrapping_sub(before.overruns);
                if overruns > 0 {
                    log::warning(format_args!(
                        "the microcontroller's receive buffer overran {overruns} times"
                    ));
                }
                let restarts = status.module_restarts.wrapping_sub(before.module_restarts);
                if restarts > 0 {
                    log::warning(format_args!("the radio module had to be restarted {restarts} times"));
                }
            }
        }
        self.reported = Some((status, chunks));
        *self
            .counters
            .microcontroller
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(status);
    }

    fn idle(&mut self, bursts: &mut Vec<Burst>) {
        self.joiner.flush(self.now_ms(), |burst| bursts.push(burst));
        if self.silent || self.last_frame.elapsed() < SILENCE {
            return;
        }
        self.silent = true;
        if self.garbage_since_frame > 0 {
            log::error(format_args!(
                "{} bytes in {} s and no frame among them: wrong speed (serial.baud), or another program on the \
                 microcontroller",
                self.garbage_since_frame,
                SILENCE.as_secs()
            ));
        } else {
            log::error(format_args!(
                "nothing from the microcontroller for {} s: is it powered, and running the gateway firmware?",
                SILENCE.as_secs()
            ));
        }
    }

    /// The port is gone: what was begun ends here.
    fn interrupted(&mut self, bursts: &mut Vec<Burst>) {
        self.joiner.gap(|burst| bursts.push(burst));
        self.deframer = Deframer::default();
    }
}
