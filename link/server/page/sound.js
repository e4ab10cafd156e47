// A sound for a new alarm. Browsers make none before somebody has touched the page, so the button says when one is
// needed. Whether it is wanted is remembered.

import { at } from "/words.js";

const TONES_HZ = [880, 660, 880];
const TONE_S = 0.25;

let context = null;
let isWanted = localStorage.getItem("sound") === "on";

function show() {
  const button = at("sound");
  const isReady = context?.state === "running";
  button.textContent = !isWanted ? "Sound is off" : isReady ? "Sound is on" : "Press here for sound";
  button.className = isWanted && !isReady ? "" : "plain";
  button.setAttribute("aria-pressed", String(isWanted));
}

async function wake() {
  if (!isWanted) return;
  context ??= new AudioContext();
  if (context.state !== "running") await context.resume();
  show();
}

export function ring() {
  if (!isWanted || context?.state !== "running") return;
  TONES_HZ.forEach((hertz, place) => {
    const begin = context.currentTime + place * TONE_S;
    const [tone, loudness] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.4, begin);
    loudness.gain.linearRampToValueAtTime(0, begin + TONE_S);
    tone.connect(loudness).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + TONE_S);
  });
  at("sound").dataset.rung = Number(at("sound").dataset.rung ?? 0) + 1;
}

export function setUpSound() {
  at("sound").addEventListener("click", async () => {
    isWanted = !isWanted || context?.state !== "running";
    localStorage.setItem("sound", isWanted ? "on" : "off");
    await wake();
    if (isWanted) ring();
    show();
  });
  for (const touch of ["pointerdown", "keydown"])
    document.addEventListener(touch, (event) => event.target !== at("sound") && wake());
  show();
}
