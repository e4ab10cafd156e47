// How many sensors there are of each kind, and a card for each that is looked at, who needs somebody most first.

import { ago, at, button, figure, hours, levelName, make, moment, number } from "/words.js";

// What the counts are called, in the order in which they are shown.
const COUNTS = [
  ["alarmed", (count) => `${count} in alarm`],
  ["silent", (count) => `${count} silent`],
  ["late", (count) => `${count} late`],
  ["low", (count) => `${count} with a low battery`],
  ["ok", (count) => `${count} reporting`],
  ["never", (count) => `${count} never heard`],
  ["revoked", (count) => `${count} out of service`],
];
const WORDS = {
  silent: "silent",
  late: "late",
  low: "battery low",
  ok: "reporting",
  never: "never heard",
  revoked: "out of service",
};

function ruleText(thresholds) {
  if (!thresholds.length) return "Each sensor has thresholds of its own.";
  const texts = thresholds.map(({ level, mm, minutes }) =>
    level === "alarm"
      ? `An alarm is raised above ${+((mm * 60) / minutes).toFixed(1)} mm/h over ${minutes} min`
      : `${level} from ${mm} mm in ${hours(minutes)}`,
  );
  const text = texts.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** The counts, each a button that shows these sensors only. */
export function showSummary(summary, standing, pick) {
  const wanted = JSON.stringify([summary.counts, summary.total, summary.thresholds, standing]);
  if (at("summary").dataset.shown === wanted) return;
  at("summary").dataset.shown = wanted;
  const counts = COUNTS.filter(([name]) => summary.counts[name]).map(([name, words]) => {
    const element = button(words(summary.counts[name]), () => pick(standing === name ? "" : name), `count ${name}`);
    element.setAttribute("aria-pressed", String(standing === name));
    return element;
  });
  const all = button(`${summary.total} sensors`, () => pick(""), "count all");
  all.setAttribute("aria-pressed", String(standing === ""));
  at("summary").replaceChildren(
    make("div", { className: "ranges" }, all, ...counts),
    make("p", { textContent: ruleText(summary.thresholds) }),
  );
}

export const wordOf = (sensor) =>
  sensor.standing === "alarmed" ? levelName(sensor.level).toUpperCase() : WORDS[sensor.standing];

export class Cards {
  constructor(choose) {
    this.choose = choose;
    this.known = new Map();
  }

  show(sensors, chosen, found) {
    const cards = sensors.map((sensor) => this.card(sensor, chosen));
    // Left alone while their order holds, so that the keyboard's place is not lost.
    const place = at("cards");
    if (cards.length !== place.children.length || cards.some((element, index) => place.children[index] !== element))
      place.replaceChildren(...cards);
    for (const id of this.known.keys()) if (!sensors.some((sensor) => sensor.id === id)) this.known.delete(id);
    const more = found - sensors.length;
    at("more").hidden = more <= 0;
    at("more").textContent = `Show more: there are ${more} others`;
    at("none").textContent = found ? "" : "There is no such sensor.";
  }

  card(sensor, chosen) {
    let element = this.known.get(sensor.id);
    if (!element) {
      element = button("", () => this.choose(sensor.id, true));
      element.dataset.device = sensor.id;
      this.known.set(sensor.id, element);
    }
    element.setAttribute("aria-pressed", String(chosen === sensor.id));
    const isHeard = sensor.heard_ms !== null;
    const heard = !isHeard
      ? "no reading yet"
      : sensor.late_ms !== null
        ? `from ${moment(sensor.late_ms)}`
        : `heard ${ago(sensor.heard_ms)}`;
    // Nothing is written that is there already: a phone has better things to do.
    const wanted = JSON.stringify([sensor, heard]);
    if (element.dataset.shown === wanted) return element;
    element.dataset.shown = wanted;
    element.className = `card ${sensor.standing}`;
    const battery = number(sensor.supply, 2, "V");
    element.replaceChildren(
      make(
        "span",
        { className: "head" },
        make("span", { textContent: sensor.name, translate: false }),
        make("span", { className: "state", textContent: wordOf(sensor) }),
      ),
      make(
        "span",
        { className: "rain", textContent: isHeard ? figure(sensor.rain, 1) : "–" },
        make("small", { textContent: " mm/h" }),
      ),
      make(
        "span",
        { className: "row" },
        make("span", { textContent: number(sensor.temperature, 1, "°C") }),
        make("span", {
          className: sensor.low ? "low" : "",
          textContent: sensor.low ? `battery low: ${battery}` : `battery ${battery}`,
        }),
        make("span", { textContent: heard }),
      ),
      ...(isHeard
        ? [
            make(
              "span",
              { className: "row" },
              make("span", { textContent: `received ${sensor.came} of the last ${sensor.of}` }),
            ),
            meter(sensor.of ? sensor.came / sensor.of : 0),
          ]
        : []),
    );
    return element;
  }
}

function meter(share) {
  const element = make("meter", { min: 0, max: 1, low: 0.5, high: 0.85, optimum: 1, value: share });
  element.setAttribute("aria-hidden", "true");
  return element;
}
