//! The queue between the connection to the broker and the thread that stores: one for each gateway, taken from in turn.
//!
//! A gateway that floods the server delays only itself: for each of its messages the server takes one message of
//! every other gateway. Memory is bounded. A message that finds no room is dropped and not acknowledged, so its gateway
//! sends it again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::log::log;
use crate::message::Message;

/// A gateway has at most 16 messages of 32 kB on their way (link/gateway/src/session.rs), so this is beyond any.
const MOST_OF_A_GATEWAY: usize = 16 << 20;
const MOST_OF_ALL: usize = 64 << 20;
/// What a message takes besides its payload.
const OVERHEAD: usize = 256;

#[derive(Default)]
pub struct Intake {
    queues: Mutex<Queues>,
    filled: Condvar,
}

#[derive(Default)]
struct Queues {
    of: HashMap<String, Queue>,
    /// The gateways that have something, the next one first.
    turns: VecDeque<String>,
    bytes: usize,
    closed: bool,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Message>,
    bytes: usize,
    /// Whether the log says already that this gateway sends too much.
    said: bool,
}

impl Intake {
    /// Takes a message in, if there is room for it.
    pub fn put(&self, message: Message) -> bool {
        let mut queues = self.lock();
        let bytes = size(&message);
        let room = queues.bytes + bytes <= MOST_OF_ALL;
        let name = message.gateway().to_owned();
        let waiting = queues.of.get(&name).map_or(0, |queue| queue.bytes);
        if !room || waiting + bytes > MOST_OF_A_GATEWAY {
            if let Some(queue) = queues.of.get_mut(&name).filter(|queue| !queue.said) {
                queue.said = true;
                log(&format!(
                    "gateway {name} sends faster than this server can store: {} MB of it wait, the rest is not \
                     acknowledged",
                    waiting >> 20
                ));
            }
            return false;
        }
        let queue = queues.of.entry(name.clone()).or_default();
        let was_empty = queue.messages.is_empty();
        queue.messages.push_back(message);
        queue.bytes += bytes;
        if was_empty {
            queues.turns.push_back(name);
        }
        queues.bytes += bytes;
        self.filled.notify_one();
        true
    }

    /// One message of each gateway in turn, at most `most` bytes of them but one at least. Waits for the first one.
    /// Nothing once the queue is closed.
    pub fn take(&self, most: usize) -> Option<Vec<Message>> {
        let mut queues = self.lock();
        while queues.turns.is_empty() {
            if queues.closed {
                return None;
            }
            queues = self.filled.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
        let mut taken = Vec::new();
        let mut bytes = 0;
        while bytes < most {
            let Some(name) = queues.turns.pop_front() else { break };
            let Some(queue) = queues.of.get_mut(&name) else {
                continue;
            };
            let Some(size) = queue.messages.front().map(size) else {
                continue;
            };
            if !taken.is_empty() && bytes + size > most {
                queues.turns.push_front(name);
                break;
            }
            let Some(message) = queue.messages.pop_front() else {
                continue;
            };
            queue.bytes -= size;
            if queue.messages.is_empty() {
                queues.of.remove(&name);
            } else {
                queues.turns.push_back(name);
            }
            queues.bytes -= size;
            bytes += size;
            taken.push(message);
        }
        Some(taken)
    }

    /// Ends the thread that takes.
    pub fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(message: &Message) -> usize {
    OVERHEAD
        + match message {
            Message::Up { payload, .. } => payload.len(),
            Message::Status { json, .. } => json.len(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(gateway: &str, bytes: usize) -> Message {
        Message::Up {
            gateway: gateway.to_owned(),
            payload: vec![0; bytes].into(),
        }
    }

    fn names(taken: &[Message]) -> String {
        taken.iter().map(Message::gateway).collect()
    }

    #[test]
    fn gateways_take_turns() {
        let intake = Intake::default();
        for gateway in ["a", "a", "a", "a", "b", "c", "b"] {
            assert!(intake.put(message(gateway, 1000)));
        }
        // None that would be beyond the limit, but one at least.
        assert_eq!(names(&intake.take(3 * 1256 + 1255).expect("messages")), "abc");
        assert!(intake.put(message("d", 1000)));
        assert_eq!(names(&intake.take(1).expect("a message")), "a");
        assert_eq!(names(&intake.take(usize::MAX).expect("messages")), "bdaa");
        intake.close();
        assert!(intake.take(usize::MAX).is_none());
    }

    #[test]
    fn memory_is_bounded_for_each_gateway_and_for_all() {
        let intake = Intake::default();
        let flood = (0..1000).filter(|_| intake.put(message("a", 1 << 20))).count();
        assert_eq!(flood, 15);
        assert!(intake.put(message("b", 1000)), "another gateway has its room");
        let rest: usize = (0..100)
            .map(|number| {
                (0..20)
                    .filter(|_| intake.put(message(&format!("g{number}"), 1 << 20)))
                    .count()
            })
            .sum();
        assert!(flood + rest < 64, "{rest}");
        assert!(!intake.put(message("a", 1 << 20)));
        // All room comes back.
        while intake
            .take(usize::MAX)
            .is_some_and(|taken| !taken.is_empty() && intake.lock().bytes > 0)
        {}
        assert_eq!(intake.lock().bytes, 0);
        assert!(intake.lock().of.is_empty());
        assert!(intake.put(message("a", 1 << 20)));
    }
}
