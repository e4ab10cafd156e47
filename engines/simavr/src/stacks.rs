//! Which function was called by which, in a region: a tree with the cycles of each way to a function.

use std::collections::HashMap;

use crate::events::StackCost;
use crate::firmware::Firmware;
use crate::instructions::Effect;
use crate::region::Step;

/// No function has this number: code without a symbol.
const NAMELESS: u32 = u32::MAX;

struct Node {
    parent: Option<u32>,
    function: u32,
    /// Its own, without what it calls.
    cycles: u64,
    calls: u64,
}

struct Frame {
    node: u32,
    /// The stack pointer in front of its call: a return that reaches it has left the frame.
    caller_sp: u16,
}

pub struct Stacks {
    /// The number of the function at each word of flash.
    functions: Vec<u32>,
    nodes: Vec<Node>,
    children: HashMap<(Option<u32>, u32), u32>,
    frames: Vec<Frame>,
}

impl Stacks {
    pub fn new(firmware: &Firmware) -> Stacks {
        let words = (firmware.flash_end as usize).div_ceil(2);
        Stacks {
            functions: (0..words)
                .map(|word| {
                    firmware
                        .function_index(word as u32 * 2)
                        .map_or(NAMELESS, |index| index as u32)
                })
                .collect(),
            nodes: Vec::new(),
            children: HashMap::new(),
            frames: Vec::new(),
        }
    }

    fn function_at(&self, address: u32) -> u32 {
        self.functions.get(address as usize / 2).copied().unwrap_or(NAMELESS)
    }

    fn child(&mut self, parent: Option<u32>, function: u32) -> u32 {
        let nodes = &mut self.nodes;
        *self.children.entry((parent, function)).or_insert_with(|| {
            nodes.push(Node {
                parent,
                function,
                cycles: 0,
                calls: 0,
            });
            nodes.len() as u32 - 1
        })
    }

    fn enter(&mut self, parent: Option<u32>, function: u32, caller_sp: u16) {
        let node = self.child(parent, function);
        self.nodes[node as usize].calls += 1;
        self.frames.push(Frame { node, caller_sp });
    }

    /// The instruction at `address` was executed, and the one at `next` follows. A jump into another function takes
    /// the place of the function that jumped, as its return will.
    #[inline(always)]
    pub fn count(&mut self, step: &Step, address: u32, next: u32) {
        let function = self.function_at(address);
        match self.frames.last() {
            None => self.enter(None, function, u16::MAX),
            Some(frame) if self.nodes[frame.node as usize].function != function => self.jump(function),
            Some(_) => {}
        }
        if let Some(frame) = self.frames.last() {
            self.nodes[frame.node as usize].cycles += step.cycle_after - step.cycle_before;
        }
        match step.instruction.effect {
            Effect::Call => {
                let parent = self.frames.last().map(|frame| frame.node);
                self.enter(parent, self.function_at(next), step.sp_before);
            }
            Effect::Return => {
                while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.caller_sp <= step.sp_after)
                {
                    self.frames.pop();
                }
            }
            _ => {}
        }
    }

    #[cold]
    fn jump(&mut self, function: u32) {
        if let Some(frame) = self.frames.pop() {
            let parent = self.nodes[frame.node as usize].parent;
            self.enter(parent, function, frame.caller_sp);
        }
    }

    /// The next instruction is of another region.
    pub fn end_of_region(&mut self) {
        self.frames.clear();
    }

    /// Each node after its parent.
    pub fn costs<'a>(&self, firmware: &'a Firmware) -> Vec<StackCost<'a>> {
        self.nodes
            .iter()
            .map(|node| StackCost {
                parent: node.parent,
                name: firmware
                    .functions()
                    .get(node.function as usize)
                    .map(|symbol| symbol.name.as_str()),
                cycles: node.cycles,
                calls: node.calls,
            })
            .collect()
    }
}
