//! What a region costs: everything between the markers "region begins" and "region ends".

use crate::events::{Classes, Event};
use crate::instructions::{Effect, Instruction, REPORTED_KINDS};

/// One executed instruction, and the stack pointer around it.
pub struct Step {
    pub instruction: Instruction,
    pub cycle_before: u64,
    pub cycle_after: u64,
    pub sp_before: u16,
    pub sp_after: u16,
}

/// Half of the stack pointer was written by OUT: until the other half follows, its value is neither
/// the old nor the new one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HalfWritten {
    Nothing,
    Low,
    High,
}

pub struct Region {
    index: u64,
    begin_cycle: u64,
    begin_sp: u16,
    deepest_sp: u16,
    half_written: HalfWritten,
    /// Where the outermost call now running was made, as the stack pointer before it.
    caller_sp: Option<u16>,
    first_call_cycle: Option<u64>,
    last_return_cycle: Option<u64>,
    kinds: [u64; REPORTED_KINDS],
}

impl Region {
    /// `begin_cycle` is the cycle after the marker's instruction.
    pub fn begin(index: u64, begin_cycle: u64, sp: u16) -> Region {
        Region {
            index,
            begin_cycle,
            begin_sp: sp,
            deepest_sp: sp,
            half_written: HalfWritten::Nothing,
            caller_sp: None,
            first_call_cycle: None,
            last_return_cycle: None,
            kinds: [0; REPORTED_KINDS],
        }
    }

    #[inline(always)]
    pub fn count(&mut self, step: &Step) {
        self.kinds[step.instruction.kind as usize] += 1;
        if step.instruction.effect != Effect::None || step.sp_before != step.sp_after {
            self.count_stack_change(step);
        }
    }

    fn count_stack_change(&mut self, step: &Step) {
        match step.instruction.effect {
            Effect::WriteSpLow => return self.write_half(HalfWritten::Low, step),
            Effect::WriteSpHigh => return self.write_half(HalfWritten::High, step),
            Effect::None | Effect::Push => {}
            Effect::Call => {
                if self.caller_sp.is_none() {
                    self.caller_sp = Some(step.sp_before);
                    self.first_call_cycle.get_or_insert(step.cycle_before);
                }
            }
            Effect::Return => {
                if self.caller_sp == Some(step.sp_after) {
                    self.caller_sp = None;
                    self.last_return_cycle = Some(step.cycle_after);
                }
            }
        }
        // The stack was used, so what was half-written was meant.
        self.half_written = HalfWritten::Nothing;
        self.reach(step.sp_before);
        self.reach(step.sp_after);
    }

    #[cold]
    fn write_half(&mut self, half: HalfWritten, step: &Step) {
        if self.half_written == HalfWritten::Nothing {
            self.half_written = half;
        } else if self.half_written == half {
            // The same half again: the value between the two writes was a whole stack pointer.
            self.reach(step.sp_before);
        } else {
            self.half_written = HalfWritten::Nothing;
            self.reach(step.sp_after);
        }
    }

    /// Between instructions, an interrupt may have pushed.
    pub fn reach(&mut self, sp: u16) {
        if sp < self.deepest_sp {
            self.deepest_sp = sp;
        }
    }

    /// `end_cycle` is the cycle before the marker's instruction.
    pub fn end(&self, end_cycle: u64) -> Event<'static> {
        let region_cycles = end_cycle - self.begin_cycle;
        let cycles = match (self.first_call_cycle, self.last_return_cycle) {
            (Some(first), Some(last)) => last - first,
            _ => region_cycles,
        };
        self.event(cycles, region_cycles)
    }

    /// The same for a region that is one call: all of it counts.
    pub fn end_of_function(&self, end_cycle: u64) -> Event<'static> {
        let cycles = end_cycle - self.begin_cycle;
        self.event(cycles, cycles)
    }

    fn event(&self, cycles: u64, region_cycles: u64) -> Event<'static> {
        Event::Region {
            index: self.index,
            cycles,
            region_cycles,
            stack_bytes: self.begin_sp - self.deepest_sp,
            instructions: self.kinds.iter().sum(),
            classes: Classes::from_counts(&self.kinds),
        }
    }
}
