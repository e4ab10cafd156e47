// Elements, times and figures as the page writes them. Text from outside only ever becomes text nodes.

import { isPortuguese } from "/language.js";

export const at = (id) => document.getElementById(id);

/** How far the server's clock is ahead of this machine's. */
export const clocks = { offset_ms: 0 };
export const now = () => Date.now() + clocks.offset_ms;

export function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, options);
  element.append(...children);
  return element;
}

/** A button with what it does. */
export function button(text, action, className = "") {
  const element = make("button", { type: "button", textContent: text, className });
  element.addEventListener("click", action);
  return element;
}

/** With the decimal sign of the reader's language. */
export const figure = (value, digits) => {
  const text = value.toFixed(digits);
  return isPortuguese ? text.replace(".", ",") : text;
};

const locale = isPortuguese ? "pt-BR" : [];

export function clock(time_ms, seconds) {
  return new Date(time_ms).toLocaleTimeString(locale, {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds && { second: "2-digit" }),
    hourCycle: "h23",
  });
}

export function day(time_ms) {
  return new Date(time_ms).toLocaleDateString(locale, { day: "numeric", month: "short" });
}

export const number = (value, digits, unit) =>
  value === null || value === undefined ? "–" : `${figure(value, digits)} ${unit}`;

export function ago(time_ms) {
  if (time_ms === null || time_ms === undefined) return "never";
  const seconds = Math.max(0, Math.round((now() - time_ms) / 1000));
  if (seconds < 100) return `${seconds} s ago`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

export function moment(time_ms) {
  const today = new Date(now()).toDateString() === new Date(time_ms).toDateString();
  return today ? clock(time_ms, true) : `${day(time_ms)} ${clock(time_ms, true)}`;
}

export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
}

export function hours(minutes) {
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

const SIGNALS = [
  [-100, "strong"],
  [-112, "good"],
  [-120, "weak"],
];

/** A signal strength in words and figures. The modules' limit at the usual air rate is about -124 dBm. */
export function signal(dbm) {
  if (dbm === null || dbm === undefined) return "not told by the gateway's module";
  const word = SIGNALS.find(([least]) => dbm >= least)?.[1] ?? "very weak";
  return `${word}, ${dbm} dBm`;
}

/** How far a clock is off the server's, in words; nothing if it is not. */
export function clockOff(ahead_ms, tolerance_ms) {
  if (ahead_ms === null || Math.abs(ahead_ms) <= tolerance_ms) return "";
  return `${duration(Math.abs(ahead_ms))} ${ahead_ms > 0 ? "ahead of" : "behind"} the server's`;
}

/** A site without a table of thresholds has one level. */
export const levelName = (level) => (level === "alarm" ? "Rain alarm" : level[0].toUpperCase() + level.slice(1));

export function fill(id, width, none, rows) {
  const cells = (row) => row.map((text) => (text instanceof Node ? text : make("td", { textContent: text })));
  const lines = rows.map((row) => make("tr", {}, ...cells(row)));
  at(id).replaceChildren(
    ...(lines.length ? lines : [make("tr", { className: "none" }, make("td", { colSpan: width, textContent: none }))]),
  );
}

/** Whoever may not see the page any more is asked for the password. */
export function refused(answer) {
  if (answer.status === 401) location.assign("/login");
}

/** Sends a form; the answer's text, or an error that says why not. */
export async function send(path, fields = {}) {
  const answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields) });
  const text = await answer.text();
  if (answer.ok) return text;
  refused(answer);
  throw new Error(text || "The server does not take it.");
}

/** The notes about something, newest first, and a place to write one. */
export function showNotes(place, path, mayWrite) {
  const list = make("ul", { className: "notes" });
  const load = async () => {
    const answer = await fetch(path);
    if (!answer.ok) return refused(answer);
    const notes = await answer.json();
    list.replaceChildren(
      ...notes.map((note) =>
        make(
          "li",
          {},
          make("span", { className: "muted", textContent: `${moment(note.time_ms)}, ${note.account}` }),
          make("p", { textContent: note.text, translate: false }),
        ),
      ),
    );
  };
  const parts = [list];
  if (mayWrite) {
    const text = make("textarea", { rows: 2, maxLength: 2000, required: true });
    text.setAttribute("aria-label", "New note");
    const wrong = make("p", { className: "mistake" });
    const form = make("form", { className: "note" }, text, make("button", { type: "submit", textContent: "Add note" }), wrong);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await send(path, { text: text.value });
        text.value = "";
        wrong.textContent = "";
        await load();
      } catch (error) {
        wrong.textContent = error.message;
      }
    });
    parts.unshift(form);
  }
  place.replaceChildren(...parts);
  return load();
}
