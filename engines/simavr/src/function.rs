//! Regions without markers: calls of one function, in firmware that knows nothing of the engine.

use crate::instructions::Effect;
use crate::region::{Region, Step};

/// A call begins where the function's first instruction is reached while no call of it runs: by a call instruction, by
/// a jump, as a function that ends in a call of another one makes it, or by running into it. It ends with the return
/// that takes its return address from the stack. A loop to the first instruction, recursion, and what an interrupt
/// calls meanwhile are inside it.
pub struct FunctionWatch {
    address: u32,
    to_skip: u64,
    to_measure: u64,
    /// A return that leaves the stack pointer here or above has left the function.
    returns_to_sp: u16,
    is_in_skipped_call: bool,
}

impl FunctionWatch {
    pub fn new(address: u32, first_call: u64, calls: u64) -> FunctionWatch {
        FunctionWatch {
            address,
            to_skip: first_call - 1,
            to_measure: calls,
            returns_to_sp: 0,
            is_in_skipped_call: false,
        }
    }

    pub fn address(&self) -> u32 {
        self.address
    }

    /// After every instruction outside a region. A region if a call began that is one of those wanted: from the call
    /// instruction on, or from the first instruction if the function was jumped to.
    #[inline(always)]
    pub fn after(&mut self, step: &Step, pc: u32, index: u64) -> Option<Region> {
        if self.is_in_skipped_call {
            self.is_in_skipped_call = !self.is_left_by(step);
            return None;
        }
        if pc != self.address {
            return None;
        }
        let is_called = step.instruction.effect == Effect::Call;
        self.returns_to_sp = if is_called { step.sp_before } else { step.sp_after + 1 };
        if self.to_skip > 0 {
            self.to_skip -= 1;
            self.is_in_skipped_call = true;
            return None;
        }
        if is_called {
            let mut region = Region::begin(index, step.cycle_before, step.sp_before);
            region.count(step);
            return Some(region);
        }
        Some(Region::begin(index, step.cycle_after, step.sp_after))
    }

    #[inline(always)]
    pub fn is_left_by(&self, step: &Step) -> bool {
        step.instruction.effect == Effect::Return && step.sp_after >= self.returns_to_sp
    }

    /// A call has been measured. True if it was the last one wanted.
    pub fn measured(&mut self) -> bool {
        self.to_measure -= 1;
        self.to_measure == 0
    }

    /// The device was reset: whatever call there was has ended.
    pub fn reset(&mut self) {
        self.is_in_skipped_call = false;
    }
}
