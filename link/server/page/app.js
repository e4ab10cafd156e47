// The page: loads everything once, then follows the server's events. Text from outside only ever becomes text nodes.

import { Chart, clock, day } from "/chart.js";

const RANGES = [
  ["15 min", 15],
  ["1 h", 60],
  ["6 h", 360],
  ["24 h", 1440],
  ["7 d", 10080],
];
const SHOWN_CARDS = 60;
const LOW_SUPPLY_V = 3.0;
// Of many alarms at once so many are shown large; the others as lines of one list.
const LARGE_ALARMS = 4;
// Clocks that differ by less are not worth a word: a DS3231 drifts two minutes in a year.
const CLOCK_OFF_MS = 120000;
const GATEWAY_CLOCK_OFF_MS = 5000;
const FLAGS = [
  [1, "clock lost power"],
  [2, "memory repaired"],
  [4, "rain alarm on the sensor"],
];
const at = (id) => document.getElementById(id);

const state = {
  devices: new Map(),
  alarms: [],
  rule: null,
  chosen: null,
  minutes: 15,
  offset_ms: 0,
  series: null,
  cards: new Map(),
};

function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, options);
  element.append(...children);
  return element;
}

const now = () => Date.now() + state.offset_ms;
const number = (value, digits, unit) =>
  value === null || value === undefined ? "–" : `${value.toFixed(digits)} ${unit}`;

function ago(time_ms) {
  if (time_ms === null || time_ms === undefined) return "never";
  const seconds = Math.max(0, Math.round((now() - time_ms) / 1000));
  if (seconds < 100) return `${seconds} s ago`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

function moment(time_ms) {
  const today = new Date(now()).toDateString() === new Date(time_ms).toDateString();
  return today ? clock(time_ms, true) : `${day(time_ms)} ${clock(time_ms, true)}`;
}

const patience_ms = (device) => Math.max(60000, device.period_s * 6000);

/** By the server's clock alone: when the newest frame came, and whether it was fresh then. */
function condition(device) {
  if (device.alarm_mm_per_hour !== null) return ["alarmed", levelName(device.alarm_level).toUpperCase()];
  if (device.revoked) return ["revoked", "revoked"];
  if (device.heard_ms === null) return ["never", "never heard"];
  if (now() - device.heard_ms > patience_ms(device)) return ["silent", "silent"];
  if (device.late) return ["late", "late"];
  return ["ok", "reporting"];
}

/** How far a clock is off the server's, in words; nothing if it is not. */
function clockOff(ahead_ms, tolerance_ms) {
  if (ahead_ms === null || Math.abs(ahead_ms) <= tolerance_ms) return "";
  return `${duration(Math.abs(ahead_ms))} ${ahead_ms > 0 ? "ahead of" : "behind"} the server's`;
}

// --- alarms

/** A site without a table of thresholds has one level. */
const levelName = (level) => (level === "alarm" ? "Rain alarm" : level[0].toUpperCase() + level.slice(1));

function hours(minutes) {
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

/** Sums of hours are told as what fell, shorter ones as a rate. */
function told(alarm, mm_per_hour, digits) {
  return alarm.window_minutes < 60
    ? `${mm_per_hour.toFixed(digits)} mm/h`
    : `${((mm_per_hour * alarm.window_minutes) / 60).toFixed(digits)} mm in ${hours(alarm.window_minutes)}`;
}

/** Of each sensor the severest: they come in that order. */
function severest(open) {
  const seen = new Set();
  return open.filter((alarm) => !seen.has(alarm.device) && seen.add(alarm.device));
}

const nameOf = (alarm) => alarm.name || `Sensor ${alarm.device}`;

/** The hardest as articles of their own, the others as a list in one more; a click on a line shows the sensor. */
function alarmArticles(open) {
  const [large, small] = [open.slice(0, LARGE_ALARMS), open.slice(LARGE_ALARMS)];
  const articles = large.map((alarm) =>
    make(
      "article",
      { className: alarm.level === "alarm" ? "alarm" : `alarm rank${Math.min(alarm.rank, 2)}` },
      make("h2", { textContent: `⚠ ${levelName(alarm.level)}: ${nameOf(alarm)}` }),
      make("p", {
        textContent:
          `Up to ${told(alarm, alarm.peak, 0)} since ${moment(alarm.raised_ms)}; ` +
          `the threshold is ${told(alarm, alarm.threshold, 0)}.`,
      }),
    ),
  );
  if (!small.length) return articles;
  const lines = small.map((alarm) => {
    const button = make("button", {
      type: "button",
      textContent:
        `${alarm.level === "alarm" ? "" : `${levelName(alarm.level)}: `}${nameOf(alarm)}: ` +
        `${told(alarm, alarm.peak, 0)} since ${moment(alarm.raised_ms)}`,
    });
    button.addEventListener("click", () => choose(alarm.device, true));
    return make("li", {}, button);
  });
  return [
    ...articles,
    make(
      "article",
      { className: "alarm many" },
      make("h2", { textContent: `⚠ ${small.length} more rain alarms` }),
      make("ul", {}, ...lines),
    ),
  ];
}

function showAlarms() {
  const open = severest(state.alarms.filter((alarm) => alarm.cleared_ms === null));
  // Rewritten only when there is something new to say, or a screen reader would repeat it every second.
  const wanted = open.map((alarm) => `${alarm.number}:${alarm.peak.toFixed(0)}`).join();
  if (at("alarms").dataset.shown !== wanted) {
    at("alarms").dataset.shown = wanted;
    at("alarms").replaceChildren(...alarmArticles(open));
  }
  document.title = open.length
    ? `⚠ ${open.length} rain alarm${open.length > 1 ? "s" : ""} · Sensor link`
    : "Sensor link";
  fill(
    "history",
    6,
    "No alarm so far.",
    state.alarms.map((alarm) => [
      moment(alarm.raised_ms),
      alarm.cleared_ms === null ? "still raised" : moment(alarm.cleared_ms),
      nameOf(alarm),
      levelName(alarm.level),
      told(alarm, alarm.peak, 1),
      told(alarm, alarm.threshold, 0),
    ]),
  );
}

// --- tables

function fill(id, width, none, rows) {
  const cells = (row) => row.map((text) => (text instanceof Node ? text : make("td", { textContent: text })));
  const lines = rows.map((row) => make("tr", {}, ...cells(row)));
  at(id).replaceChildren(
    ...(lines.length ? lines : [make("tr", { className: "none" }, make("td", { colSpan: width, textContent: none }))]),
  );
}

const gatewayHeard = (gateway) => gateway.last_ms !== null && now() - gateway.last_ms < 60000;

/** Those that are silent first, then the others, then those that are revoked; each by name, as they come. */
function showGateways(unsorted) {
  const place = (gateway) => (gateway.revoked ? 2 : gatewayHeard(gateway) ? 1 : 0);
  const gateways = [...unsorted].sort((a, b) => place(a) - place(b));
  fill(
    "gateways",
    4,
    "No gateway yet.",
    gateways.map((gateway) => {
      const status = gateway.status ?? {};
      const depth = status.outbox?.rows;
      const heard = gatewayHeard(gateway);
      const word = gateway.revoked
        ? "revoked"
        : heard
          ? (status.state ?? "connected")
          : gateway.last_ms === null
            ? "never heard"
            : "silent";
      const clock = clockOff(gateway.clock_ahead_ms, GATEWAY_CLOCK_OFF_MS);
      const doubled = gateway.double_ms !== null && now() - gateway.double_ms < 86400000;
      const warnings = [
        doubled ? `two machines use its certificate (${moment(gateway.double_ms)})` : "",
        clock && `its clock is ${clock}`,
      ].filter(Boolean);
      const state = warnings.length
        ? make("td", { className: "low", textContent: [word, ...warnings].join("; ") })
        : word;
      return [gateway.name, ago(gateway.last_ms), state, depth === undefined ? "–" : `${depth} bursts`];
    }),
  );
}

function showNotices(notices) {
  fill(
    "notices",
    4,
    "Nothing to be seen to.",
    notices.map((notice) => [
      notice.ended_ms !== null
        ? `over since ${moment(notice.ended_ms)}`
        : notice.acknowledged_ms !== null
          ? `seen ${moment(notice.acknowledged_ms)}`
          : make("td", {}, acknowledgeButton(notice)),
      notice.headline,
      moment(notice.since_ms),
      notice.detail,
    ]),
  );
}

function acknowledgeButton(notice) {
  const button = make("button", { type: "button", textContent: "Seen" });
  button.setAttribute("aria-label", `Seen: ${notice.headline}`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    const answer = await fetch(`/api/notices/${notice.number}/acknowledge`, { method: "POST" });
    if (!answer.ok) {
      button.disabled = false;
      refused(answer);
    }
  });
  return button;
}

function showRefusals(refusals) {
  const counts = Object.entries(refusals.counts).sort((a, b) => b[1] - a[1]);
  at("reasons").replaceChildren(...counts.map(([reason, count]) => make("li", { textContent: `${reason}: ${count}` })));
  fill(
    "refusals",
    5,
    "Nothing was refused.",
    refusals.latest.map((refusal) => [
      moment(refusal.stored_ms),
      refusal.reason,
      refusal.gateway,
      refusal.device === null ? "–" : String(refusal.device),
      make("td", { className: "bytes", textContent: refusal.bytes, title: refusal.bytes }),
    ]),
  );
}

// --- devices

const isLow = (device) => device.supply_v !== null && device.supply_v < LOW_SUPPLY_V;

function urgency(device) {
  const kind = condition(device)[0];
  if (kind === "alarmed") return -device.alarm_rank;
  if (kind === "ok" && isLow(device)) return 2.5;
  return { silent: 1, late: 2, ok: 3, never: 4, revoked: 5 }[kind];
}

function showDevices() {
  const words = at("filter").value.trim().toLowerCase();
  const all = [...state.devices.values()];
  const found = all.filter((device) => `${device.name} ${device.id}`.toLowerCase().includes(words));
  found.sort((a, b) => urgency(a) - urgency(b) || a.id - b.id);
  const shown = found.slice(0, SHOWN_CARDS);
  const cards = shown.map((device) => card(device));
  // Left alone while their order holds, so that the keyboard's place is not lost.
  const place = at("cards");
  if (cards.length !== place.children.length || cards.some((element, index) => place.children[index] !== element))
    place.replaceChildren(...cards);
  at("more").textContent =
    found.length > shown.length
      ? `${found.length - shown.length} more; write in “Find” to see others.`
      : found.length
        ? ""
        : "No sensor of that name or number.";
  const count = (kind) => all.filter((device) => condition(device)[0] === kind).length;
  at("summary").replaceChildren(
    make("strong", { textContent: `${all.length}` }),
    ` sensors: ${count("alarmed")} in alarm, ${count("ok")} reporting, ${count("late")} late, ` +
      `${count("silent")} silent, ${count("never")} never heard. `,
    ruleText(state.rule.thresholds),
  );
}

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

function card(device) {
  let element = state.cards.get(device.id);
  if (!element) {
    element = make("button", { type: "button" });
    element.addEventListener("click", () => choose(device.id, true));
    state.cards.set(device.id, element);
  }
  const [kind, word] = condition(device);
  element.className = `card ${kind}`;
  element.dataset.device = device.id;
  element.setAttribute("aria-pressed", String(state.chosen === device.id));
  const share = device.of ? device.came / device.of : 0;
  const heard = device.heard_ms !== null;
  const low = isLow(device);
  element.replaceChildren(
    make(
      "span",
      { className: "head" },
      make("span", { textContent: device.name }),
      make("span", { className: "state", textContent: word }),
    ),
    make(
      "span",
      { className: "rain", textContent: heard ? device.rain_mm_per_hour.toFixed(1) : "–" },
      make("small", { textContent: " mm/h" }),
    ),
    make(
      "span",
      { className: "row" },
      make("span", { textContent: number(device.temperature_c, 1, "°C") }),
      make("span", {
        className: low ? "low" : "",
        textContent: `${number(device.supply_v, 2, "V")}${low ? " low" : ""}`,
      }),
      make("span", {
        textContent: !heard
          ? "no reading yet"
          : device.late
            ? `from ${moment(device.last_ms)}`
            : `heard ${ago(device.heard_ms)}`,
      }),
    ),
    ...(heard
      ? [
          make(
            "span",
            { className: "row" },
            make("span", { textContent: `delivered ${device.came} of the last ${device.of}` }),
          ),
          meter(share),
        ]
      : []),
  );
  return element;
}

function meter(share) {
  const element = make("meter", { min: 0, max: 1, low: 0.5, high: 0.85, optimum: 1, value: share });
  element.setAttribute("aria-hidden", "true");
  return element;
}

// --- one device

const charts = {
  rain: new Chart(at("rain"), at("rain-out"), {
    name: "Rain",
    unit: "mm",
    colour: "--rain",
    bars: true,
    least: 1,
    value: (point) => point.rain_mm,
    text: (point) => number(point.rain_mm, 1, "mm"),
    summary: (points) =>
      `${number(
        points.reduce((sum, point) => sum + point.rain_mm, 0),
        1,
        "mm",
      )} in all; mm in ${duration(state.bucket_ms)} each`,
  }),
  temperature: new Chart(at("temperature"), at("temperature-out"), {
    name: "Temperature",
    unit: "°C",
    colour: "--warm",
    least: 2,
    value: (point) => point.temperature_c,
    range: (point) => [point.temperature_min_c, point.temperature_max_c],
    text: (point) => number(point.temperature_c, 2, "°C"),
    summary: (points) => newest(points, "temperature_c", 2, "°C"),
  }),
  supply: new Chart(at("supply"), at("supply-out"), {
    name: "Supply",
    unit: "V",
    colour: "--supply",
    least: 0.4,
    value: (point) => point.supply_v,
    text: (point) => number(point.supply_v, 3, "V"),
    summary: (points) => newest(points, "supply_v", 3, "V"),
  }),
};

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
}

function newest(points, field, digits, unit) {
  const last = points.findLast((point) => point[field] !== null);
  return last ? `now ${number(last[field], digits, unit)}` : "";
}

function choose(id, scroll) {
  state.chosen = id;
  at("detail").hidden = false;
  at("export").elements.device.value = id;
  showDevices();
  load().then(
    () =>
      scroll &&
      at("detail").scrollIntoView({
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
        block: "start",
      }),
  );
}

function showFacts() {
  const device = state.devices.get(state.chosen);
  if (!device) return;
  at("detail-title").textContent = device.name;
  const flags = FLAGS.filter(([bit]) => device.flags & bit).map(([, text]) => text);
  const clockText =
    device.clock_s === null
      ? "not set"
      : new Date(device.clock_s * 1000).toISOString().replace(".000Z", " UTC").replace("T", " ");
  const off = clockOff(device.clock_ahead_s === null ? null : device.clock_ahead_s * 1000, CLOCK_OFF_MS);
  const facts = [
    ["Number", device.id],
    ["Key epoch", device.epoch],
    ["Cipher", device.suite === 1 ? "Ascon-AEAD128" : "AES-128-CCM"],
    ["Counter", device.counter ?? "–"],
    ["Accepted", device.accepted],
    ["Rain since set up", number(device.rain_mm, 1, "mm")],
    ["Its clock", off ? `${clockText}, ${off}` : clockText],
    ["It says", flags.join(", ") || "all well"],
  ];
  at("facts").replaceChildren(
    ...facts.map(([term, value]) =>
      make("div", {}, make("dt", { textContent: term }), make("dd", { textContent: String(value) })),
    ),
  );
}

/** Stretches without readings: by the counters between two points, or because nothing came for long. */
function gapsOf(series, period_s) {
  const patience = Math.max(3 * series.bucket_ms, 4000 * period_s);
  const gaps = [];
  let before = null;
  for (const point of series.points) {
    if (before === null && point.lost > 0) gaps.push([series.from_ms, point.time_ms]);
    else if (before !== null && (point.time_ms - before > patience || (point.lost > 0 && point.came === 1)))
      gaps.push([before, point.time_ms]);
    else if (point.lost > 0) gaps.push([point.time_ms - series.bucket_ms / 2, point.time_ms]);
    before = point.time_ms;
  }
  if (before !== null && series.to_ms - before > patience) gaps.push([before, series.to_ms]);
  return gaps;
}

let loading = null;
async function load() {
  const device = state.devices.get(state.chosen);
  if (!device) return;
  loading?.abort();
  loading = new AbortController();
  const to = Math.round(now());
  // No bucket shorter than the device's period: it would be empty every other time.
  const points = Math.round(Math.min(at("rain").clientWidth / 3, (state.minutes * 60) / device.period_s));
  const query = new URLSearchParams({ device: device.id, from_ms: to - state.minutes * 60000, to_ms: to, points });
  try {
    const answer = await fetch(`/api/series?${query}`, { signal: loading.signal });
    if (!answer.ok) return refused(answer);
    const series = await answer.json();
    state.bucket_ms = series.bucket_ms;
    const gaps = gapsOf(series, device.period_s);
    for (const chart of Object.values(charts)) chart.show(series, gaps);
    const lost = series.points.reduce((sum, point) => sum + point.lost, 0);
    const came = series.points.reduce((sum, point) => sum + point.came, 0);
    const cut = series.cut ? `; more readings than can be shown: from ${moment(series.from_ms)}` : "";
    at("lost").textContent = `(${lost} of ${lost + came} by their counters${cut})`;
    fill(
      "readings",
      7,
      "No readings in this time.",
      series.points
        .slice(-20)
        .reverse()
        .map((point) => [
          moment(point.time_ms),
          number(point.rain_mm, 1, "mm"),
          number(point.temperature_c, 2, "°C"),
          number(point.supply_v, 3, "V"),
          String(point.came),
          String(point.lost),
          String(point.late),
        ]),
    );
    state.loaded_ms = Date.now();
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
  showFacts();
}

for (const [label, minutes] of RANGES) {
  const button = make("button", { type: "button", textContent: label });
  button.setAttribute("aria-pressed", String(minutes === state.minutes));
  button.addEventListener("click", () => {
    state.minutes = minutes;
    for (const other of at("ranges").children) other.setAttribute("aria-pressed", String(other === button));
    load();
  });
  at("ranges").append(button);
}
at("filter").addEventListener("input", showDevices);

// --- the server

function refused(answer) {
  if (answer.status === 401) location.assign("/login");
}

function connection(word, kind) {
  at("connection").textContent = word;
  at("connection").className = `pill ${kind}`;
}

async function loadAll() {
  const answer = await fetch("/api/overview");
  if (!answer.ok) return refused(answer);
  const all = await answer.json();
  state.offset_ms = all.now_ms - Date.now();
  state.rule = all;
  state.devices = new Map(all.devices.map((device) => [device.id, device]));
  state.alarms = all.alarms;
  state.gateways = all.gateways;
  showAlarms();
  showDevices();
  showGateways(all.gateways);
  showRefusals(all.refusals);
  showNotices(all.notices);
  if (state.chosen === null && all.devices.length)
    choose([...state.devices.values()].sort((a, b) => urgency(a) - urgency(b) || a.id - b.id)[0].id, false);
  else load();
}

function follow() {
  const events = new EventSource("/api/live");
  const on = (kind, handle) => events.addEventListener(kind, (event) => handle(event.data && JSON.parse(event.data)));
  events.addEventListener("open", () => {
    connection("live", "good");
    loadAll();
  });
  events.addEventListener("error", () => {
    connection("no connection to the server", "bad");
    // A session that ended is answered with an error too; the next load tells them apart.
    if (events.readyState === EventSource.CLOSED)
      setTimeout(() => {
        loadAll().catch(() => {});
        follow();
      }, 3000);
  });
  on("devices", (changed) => {
    for (const device of changed) state.devices.set(device.id, device);
    if (state.rule) showDevices();
    const due = Date.now() - (state.loaded_ms ?? 0) >= Math.min(60000, state.minutes * 100);
    if (due && changed.some((device) => device.id === state.chosen)) load();
  });
  on("alarms", (alarms) => {
    state.alarms = alarms;
    showAlarms();
    if (state.rule) showDevices();
  });
  on("gateways", (gateways) => {
    state.gateways = gateways;
    showGateways(gateways);
  });
  on("refusals", showRefusals);
  on("notices", showNotices);
  on("reload", loadAll);
}

// "3 s ago" grows old even while nothing comes; that is when it matters.
setInterval(() => {
  if (state.rule) {
    showDevices();
    showGateways(state.gateways);
  }
}, 5000);
follow();
