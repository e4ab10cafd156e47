//! Regions without markers: calls of one function, in firmware that knows nothing of the engine.

use crate::instructions::Effect;
use crate::region::{Region, Step};

pub struct FunctionWatch {
    address: u32,
    to_skip: u64,
    to_measure: u64,
    /// A return that leaves the stack pointer here or above has left the function.
    returns_to_sp: u16,
}

impl FunctionWatch {
    pub fn new(address: u32, first_call: u64, calls: u64) -> FunctionWatch {
        FunctionWatch {
            address,
            to_skip: first_call - 1,
            to_measure: calls,
            returns_to_sp: 0,
        }
    }

    /// After every instruction outside a region. A region if it led to the function's first instruction, and its call
    /// is one of those wanted: from the call instruction on, or from the first instruction if the function was jumped
    /// to.
    #[inline(always)]
    pub fn after(&mut self, step: &Step, pc: u32, index: u64) -> Option<Region> {
        if pc != self.address {
            return None;
        }
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return None;
        }
        if step.instruction.effect == Effect::Call {
            self.returns_to_sp = step.sp_before;
            let mut region = Region::begin(index, step.cycle_before, step.sp_before);
            region.count(step);
            return Some(region);
        }
        self.returns_to_sp = step.sp_after + 1;
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
}
