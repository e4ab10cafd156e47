//! Where a region's cycles go: by address, and summed by function.

use crate::events::{AddressCost, Event, FunctionCost};
use crate::firmware::Firmware;
use crate::instructions::Effect;
use crate::options::ProfileMode;

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
}

impl Profile {
    pub fn new(mode: ProfileMode, flash_bytes: u32) -> Profile {
        Profile {
            mode,
            costs: vec![Cost::default(); (flash_bytes as usize).div_ceil(2)],
        }
    }

    /// One instruction at `address` took `cycles` and was followed by the one at `next`.
    #[inline(always)]
    pub fn count(&mut self, address: u32, cycles: u64, effect: Effect, next: u32) {
        let cost = &mut self.costs[address as usize / 2];
        cost.cycles += cycles;
        cost.count += 1;
        if effect == Effect::Call {
            if let Some(callee) = self.costs.get_mut(next as usize / 2) {
                callee.calls += 1;
            }
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
            if cost.count > 0 && self.mode == ProfileMode::Addresses {
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
        Event::Profile { functions, addresses }
    }
}
