//! All nodes in lockstep, in one thread, on one air.
//!
//! Nodes meet only through the air, and a packet takes effect on others when it ends. So every node may run on its own
//! up to the next end of a transmission, or for a stretch that is shorter than any packet, since one that begins within
//! the stretch cannot end in it. What happens is therefore exact, and the same for every order of nodes.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bancada_simavr::random::Random;
use serde_json::{json, Map, Value};

use crate::config::Air;
use crate::medium::{Medium, Transmission};
use crate::node::{Events, Node};
use crate::path_loss;
use crate::report::{hex, Counts, Report};

/// Shorter than the shortest packet at the fastest air rate that is emulated (45 ms).
const STRETCH_NS: u64 = 5_000_000;

/// Set by a signal: the run ends as if its time were up.
pub static STOP: AtomicBool = AtomicBool::new(false);

pub struct Simulation {
    nodes: Vec<Box<dyn Node>>,
    counts: Vec<Counts>,
    medium: Medium,
    air: Air,
    random: Random,
    report: Report,
}

impl Simulation {
    pub fn new(nodes: Vec<Box<dyn Node>>, air: Air, seed: u64, report: Report) -> Simulation {
        Simulation {
            counts: nodes.iter().map(|_| Counts::default()).collect(),
            nodes,
            medium: Medium::default(),
            air,
            random: Random::for_purpose(seed, "air"),
            report,
        }
    }

    /// False if a firmware made a fault.
    pub fn run(&mut self, duration_ns: u64, real_time: bool) -> io::Result<bool> {
        let wall_begin = Instant::now();
        let mut now_ns = 0;
        while now_ns < duration_ns && !STOP.load(Ordering::Relaxed) {
            let next_end_ns = self.medium.next_end_ns().unwrap_or(u64::MAX);
            now_ns = (now_ns + STRETCH_NS).min(next_end_ns).min(duration_ns);
            for index in 0..self.nodes.len() {
                let mut events = Events::default();
                self.nodes[index].hear_carriers(&self.medium.carriers_without(index));
                self.nodes[index].run(now_ns, &mut events);
                let asks = self.nodes[index].is_answered() && events.told.iter().any(|told| told.1 == "uart");
                self.take(index, events)?;
                if asks {
                    self.answer(index)?;
                }
            }
            for transmission in self.medium.take_ended(now_ns) {
                self.end(transmission)?;
            }
            if real_time {
                self.report.flush()?;
                let ahead = Duration::from_nanos(now_ns).saturating_sub(wall_begin.elapsed());
                thread::sleep(ahead);
            }
        }
        self.summarise(now_ns)
    }

    /// What a node told of a stretch, in the order of time.
    fn take(&mut self, index: usize, mut events: Events) -> io::Result<()> {
        events.told.sort_by_key(|told| told.0);
        for (time_ns, event, fields) in events.told {
            if event == "complaint" {
                self.counts[index].complaints += 1;
            }
            if matches!(event, "fault" | "pty") {
                let mut fields = fields;
                fields["node"] = json!(self.nodes[index].name());
                fields["time_us"] = json!(time_ns / 1000);
                self.report.always(event, fields)?;
            } else {
                self.report.event(time_ns, event, self.nodes[index].name(), fields)?;
            }
        }
        for (begin_ns, end_ns, packet) in events.begun {
            self.counts[index].sent += 1;
            let fields = json!({"channel": packet.channel, "air_rate": packet.air_rate, "bytes": hex(&packet.bytes),
                                "power_dbm": packet.power_dbm, "end_us": end_ns / 1000});
            let (number, disturbed) = self.medium.begin(index, packet, begin_ns, end_ns);
            let mut fields = fields;
            fields["number"] = json!(number);
            self.report
                .event(begin_ns, "transmit-begin", self.nodes[index].name(), fields)?;
            for (other, sender) in disturbed {
                let fields = json!({"number": number, "with": other, "with_node": self.nodes[sender].name()});
                self.report
                    .event(begin_ns, "collision", self.nodes[index].name(), fields)?;
            }
        }
        for time_ns in events.aborted_ns {
            self.medium.abort(index, time_ns);
        }
        Ok(())
    }

    fn end(&mut self, transmission: Transmission) -> io::Result<()> {
        let sender = transmission.sender;
        let counts = &mut self.counts[sender];
        counts.collided += u64::from(transmission.collided);
        counts.aborted += u64::from(transmission.aborted);
        counts.air_time_us += (transmission.end_ns - transmission.begin_ns) / 1000;
        let mut delivered_to = Vec::new();
        if !transmission.collided && !transmission.aborted {
            for receiver in 0..self.nodes.len() {
                if receiver != sender && self.deliver(&transmission, receiver)? {
                    delivered_to.push(self.nodes[receiver].name().to_string());
                }
            }
        }
        let fields = json!({"number": transmission.number, "collided": transmission.collided,
                            "aborted": transmission.aborted, "delivered_to": delivered_to});
        self.report
            .event(transmission.end_ns, "transmit-end", self.nodes[sender].name(), fields)
    }

    /// Whoever reads the events has seen all of this stretch, and says what the device's UART gets.
    fn answer(&mut self, index: usize) -> io::Result<()> {
        self.report.flush()?;
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        let digits: Vec<u32> = line.trim().chars().filter_map(|digit| digit.to_digit(16)).collect();
        let bytes: Vec<u8> = digits
            .chunks_exact(2)
            .map(|pair| (pair[0] << 4 | pair[1]) as u8)
            .collect();
        self.nodes[index].give(&bytes);
        Ok(())
    }

    fn deliver(&mut self, transmission: &Transmission, receiver: usize) -> io::Result<bool> {
        let heard = self.nodes[receiver]
            .module()
            .hears(&transmission.packet, transmission.begin_ns);
        // Drawn for every receiver, so that what one does not hear does not change another's luck.
        let (lost, spoiled, bit) = (self.random.unit(), self.random.unit(), self.random.next_u64());
        let dbm = path_loss::received_dbm(
            transmission.packet.power_dbm,
            self.nodes[transmission.sender].at_m(),
            self.nodes[receiver].at_m(),
            self.air.path_loss_exponent,
        );
        let is_strong = dbm >= path_loss::least_dbm(transmission.packet.air_rate);
        if !heard || !is_strong || lost < self.air.loss {
            return Ok(false);
        }
        let mut bytes = transmission.packet.bytes.clone();
        if spoiled < self.air.bit_error {
            let bit = (bit % (8 * bytes.len() as u64)) as usize;
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let mut events = Events::default();
        self.nodes[receiver].receive(transmission.end_ns, &bytes, dbm, &mut events);
        self.take(receiver, events)?;
        self.counts[receiver].heard += 1;
        let name = self.nodes[receiver].name().to_string();
        let tally = self.counts[transmission.sender]
            .delivered_to
            .entry(name)
            .or_insert(json!(0));
        *tally = json!(tally.as_u64().unwrap_or(0) + 1);
        Ok(true)
    }

    fn summarise(&mut self, now_ns: u64) -> io::Result<bool> {
        let mut nodes = Vec::new();
        let mut alive = true;
        for (node, counts) in self.nodes.iter_mut().zip(&mut self.counts) {
            let mut own = Map::new();
            node.summarise(counts, &mut own);
            let mut summary = serde_json::to_value(counts).map_err(io::Error::other)?;
            summary["name"] = json!(node.name());
            summary["kind"] = json!(if node.is_firmware() { "firmware" } else { "native" });
            if let Value::Object(summary) = &mut summary {
                summary.extend(own);
            }
            alive &= !node.is_dead();
            nodes.push(summary);
        }
        self.report
            .always("summary", json!({"time_us": now_ns / 1000, "nodes": nodes}))?;
        Ok(alive)
    }
}
