//! Where a region's cycles go: by address, and summed by function.

use crate::events::{AddressCost, Event, FunctionCost};
use crate::firmware::Firmware;
use crate::instructions::Effect;
use crate::options::ProfileMode;
use crate::region::Step;
use crate::stacks::Stacks;

#[derive(Clone, Copy, Default)]
struct Cost {
    cycles: u64,
    count: u64,
    calls: u64,
}

pub struct Profile {
    mode: ProfileMode,
    /// By flash word.
    costs: Vec<Cost>,
    stacks: Option<Stacks>,
}

impl Profile {
    pub fn new(mode: ProfileMode, firmware: &Firmware) -> Profile {
        Profile {
            mode,
            costs: vec![Cost::default(); (firmware.flash_end as usize).div_ceil(2)],
            stacks: (mode == ProfileMode::Stacks).then(|| Stacks::new(firmware)),
        }
    }

    /// The instruction at `address` was executed and was followed by the one at `next`.
    #[inline(always)]
    pub fn count(&mut self, step: &Step, address: u32, next: u32) {
        let cost = &mut self.costs[address as usize / 2];
        cost.cycles += step.cycle_after - step.cycle_before;
        cost.count += 1;
        if let Some(stacks) = &mut self.stacks {
            stacks.count(step, address, next);
        }
        if step.instruction.effect == Effect::Call {
            if let Some(callee) = self.costs.get_mut(next as usize / 2) {
                callee.calls += 1;
            }
        }
    }

    /// The next instruction is of another region.
    pub fn end_of_region(&mut self) {
        if let Some(stacks) = &mut self.stacks {
            stacks.end_of_region();
        }
    }

    /// Functions in the order of their cost, addresses in their own order.
    pub fn event<'a>(&self, firmware: &'a Firmware) -> Event<'a> {
        let mut functions: Vec<FunctionCost> = firmware
            .functions()
            .iter()
            .map(|symbol| FunctionCost {
                name: &symbol.name,
                cycles: 0,
                calls: 0,
            })
            .collect();
        let mut addresses = Vec::new();
        for (word, cost) in self.costs.iter().enumerate() {
            let address = word as u32 * 2;
            if let Some(index) = firmware.function_index(address) {
                functions[index].cycles += cost.cycles;
                functions[index].calls += cost.calls;
            }
            if cost.count > 0 && self.mode != ProfileMode::Functions {
                addresses.push(AddressCost {
                    address,
                    cycles: cost.cycles,
                    count: cost.count,
                    symbol: firmware.function_name(address),
                });
            }
        }
        functions.retain(|function| function.cycles > 0);
        functions.sort_by(|a, b| b.cycles.cmp(&a.cycles).then(a.name.cmp(b.name)));
        let stacks = self
            .stacks
            .as_ref()
            .map_or_else(Vec::new, |stacks| stacks.costs(firmware));
        Event::Profile {
            functions,
            addresses,
            stacks,
        }
    }
}
