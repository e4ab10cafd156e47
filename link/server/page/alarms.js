// Rain alarms: the hardest large at the top of the page, all in a list, with notes.

import { at, button, duration, figure, fill, hours, levelName, make, moment, showNotes } from "/words.js";
import { ring } from "/sound.js";

// Of many alarms at once so many are shown large; the others as lines of one list.
const LARGE_ALARMS = 4;

/** Sums of hours are told as what fell, shorter ones as a rate. */
function told(alarm, mm_per_hour, digits) {
  return alarm.window_minutes < 60
    ? `${figure(mm_per_hour, digits)} mm/h`
    : `${figure((mm_per_hour * alarm.window_minutes) / 60, digits)} mm in ${hours(alarm.window_minutes)}`;
}

/** Of each sensor the severest: they come in that order. */
function severest(open) {
  const seen = new Set();
  return open.filter((alarm) => !seen.has(alarm.device) && seen.add(alarm.device));
}

const nameOf = (alarm) => alarm.name || `Sensor ${alarm.device}`;

/** The hardest as articles of their own, the others as a list in one more; a click leads to the sensor. */
function articles(open, count, choose) {
  const [large, small] = [open.slice(0, LARGE_ALARMS), open.slice(LARGE_ALARMS)];
  const found = large.map((alarm) =>
    make(
      "article",
      { className: alarm.level === "alarm" ? "alarm" : `alarm rank${Math.min(alarm.rank, 2)}` },
      make(
        "div",
        {},
        make("h2", { textContent: `⚠ ${levelName(alarm.level)}: ${nameOf(alarm)}` }),
        make("p", {
          textContent:
            `Up to ${told(alarm, alarm.peak, 0)} since ${moment(alarm.raised_ms)}; ` +
            `the threshold is ${told(alarm, alarm.threshold, 0)}.`,
        }),
      ),
      button("Show the sensor", () => choose(alarm.device, true), "plain"),
    ),
  );
  if (!small.length) return found;
  const lines = small.map((alarm) => {
    const level = alarm.level === "alarm" ? "" : `${levelName(alarm.level)}: `;
    const text = `${level}${nameOf(alarm)}: ${told(alarm, alarm.peak, 0)} since ${moment(alarm.raised_ms)}`;
    return make(
      "li",
      {},
      button(text, () => choose(alarm.device, true)),
    );
  });
  const untold = count - open.length;
  if (untold > 0) lines.push(make("li", { textContent: `and ${untold} more` }));
  return [
    ...found,
    make(
      "article",
      { className: "alarm many" },
      make("h2", { textContent: `⚠ ${count - large.length} more rain alarms` }),
      make("ul", {}, ...lines),
    ),
  ];
}

export class Alarms {
  constructor(choose) {
    this.choose = choose;
    this.newest = null;
    this.open = null;
  }

  /** `count`: how many sensors are in alarm; those of the greatest rain are among `alarms`. */
  show(alarms, count, mayWrite) {
    const open = severest(alarms.filter((alarm) => alarm.cleared_ms === null));
    const newest = Math.max(0, ...alarms.map((alarm) => alarm.number));
    // What is open when the page is opened is seen, not heard.
    if (this.newest !== null && open.some((alarm) => alarm.number > this.newest)) ring();
    this.newest = Math.max(newest, this.newest ?? 0);
    count = Math.max(count, open.length);
    // Rewritten only when there is something new to say, or a screen reader would repeat it every second.
    const wanted = `${count};${open.map((alarm) => `${alarm.number}:${alarm.peak.toFixed(0)}`).join()}`;
    if (at("alarms").dataset.shown !== wanted) {
      at("alarms").dataset.shown = wanted;
      at("alarms").replaceChildren(...articles(open, count, this.choose));
    }
    document.title = count ? `⚠ ${count} rain alarm${count > 1 ? "s" : ""} · Rain sensors` : "Rain sensors";
    fill(
      "history",
      7,
      "No alarm so far.",
      alarms.map((alarm) => [
        moment(alarm.raised_ms),
        alarm.cleared_ms === null ? "still raised" : `${duration(alarm.cleared_ms - alarm.raised_ms)} later`,
        make("td", { textContent: nameOf(alarm), translate: false }),
        levelName(alarm.level),
        told(alarm, alarm.peak, 1),
        told(alarm, alarm.threshold, 0),
        make(
          "td",
          {},
          button(alarm.notes ? `Notes: ${alarm.notes}` : "Notes", () => this.showNotes(alarm, mayWrite), "small plain"),
        ),
      ]),
    );
  }

  showNotes(alarm, mayWrite) {
    at("alarm-notes").hidden = false;
    at("alarm-notes-title").textContent = `Notes on the alarm of ${nameOf(alarm)}, ${moment(alarm.raised_ms)}`;
    showNotes(at("alarm-notes-list"), `/api/alarms/${alarm.number}/notes`, mayWrite);
  }
}
