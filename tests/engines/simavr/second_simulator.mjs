// Runs AVR firmware in avr8js and prints, as JSON, what each region between the markers costs.
//
// usage: node second_simulator.mjs FIRMWARE.bin FLASH_BYTES RAM_BYTES MAX_CYCLES
//
// Independent of the engine on purpose: another simulator, another language, and the definition of a region's figures
// written a second time. A region is what lies between a write of 1 and a write of 2 to GPIOR0; 0x12 ends the program.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The package is installed in a cache folder, not beside this file.
const require = createRequire(join(process.env.AVR8JS_HOME, "package.json"));
const { CPU, avrInstruction } = require("avr8js");

const GPIOR0 = 0x3e;
const MARKER_BEGIN = 0x01;
const MARKER_END = 0x02;
const MARKER_HALT = 0x12;

const RCALL_NEXT = 0xd000; // takes two bytes of stack, returns to nobody

function isCall(opcode) {
  return (
    (opcode >= 0xd001 && opcode <= 0xdfff) || // RCALL
    (opcode & 0xfe0e) === 0x940e || // CALL
    opcode === 0x9509 || // ICALL
    opcode === 0x9519 // EICALL
  );
}

function isReturn(opcode) {
  return opcode === 0x9508 || opcode === 0x9518;
}

// Between these two, one half of the stack pointer is new and the other old: not a depth that was reached.
const OUT_MASK = 0xfe0f;
const OUT_SPH = 0xbe0e;
const OUT_SPL = 0xbe0d;

const [path, flashBytes, ramBytes, maxCycles] = process.argv.slice(2);
const flash = new Uint8Array(Number(flashBytes)).fill(0xff);
flash.set(readFileSync(path));
const cpu = new CPU(new Uint16Array(flash.buffer), Number(ramBytes));

let marker = 0;
cpu.writeHooks[GPIOR0] = (value) => {
  marker = value;
};

const regions = [];
let region = null;
while (cpu.cycles < Number(maxCycles) && marker !== MARKER_HALT) {
  const opcode = cpu.progMem[cpu.pc];
  const cyclesBefore = cpu.cycles;
  const spBefore = cpu.SP;
  marker = 0;
  avrInstruction(cpu);
  cpu.tick();
  if (marker === MARKER_BEGIN) {
    region = {
      begin: cpu.cycles,
      sp: cpu.SP,
      deepest: cpu.SP,
      halfWritten: false,
      callerSp: null,
      firstCall: null,
      lastReturn: null,
      instructions: 0,
    };
    continue;
  }
  if (marker === MARKER_END) {
    const regionCycles = cyclesBefore - region.begin;
    regions.push({
      cycles: region.lastReturn === null ? regionCycles : region.lastReturn - region.firstCall,
      region_cycles: regionCycles,
      stack_bytes: region.sp - region.deepest,
      instructions: region.instructions,
    });
    region = null;
    continue;
  }
  if (region === null) {
    continue;
  }
  region.instructions += 1;
  if ((opcode & OUT_MASK) === OUT_SPH) {
    region.halfWritten = true;
  } else if ((opcode & OUT_MASK) === OUT_SPL) {
    region.halfWritten = false;
  }
  if (!region.halfWritten) {
    region.deepest = Math.min(region.deepest, cpu.SP);
  }
  if (isCall(opcode) && opcode !== RCALL_NEXT && region.callerSp === null) {
    region.callerSp = spBefore;
    region.firstCall ??= cyclesBefore;
  } else if (isReturn(opcode) && region.callerSp === cpu.SP) {
    region.callerSp = null;
    region.lastReturn = cpu.cycles;
  }
}
process.stdout.write(JSON.stringify({ halted: marker === MARKER_HALT, cycles: cpu.cycles, regions }));
