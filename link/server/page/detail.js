// One sensor: its series, its name, place and notes, and what a technician asks for.

import { Chart } from "/chart.js";
import { at, clockOff, duration, fill, make, moment, now, number, refused, send, showNotes, signal } from "/words.js";

const RANGES = [
  ["15 min", 15],
  ["1 h", 60],
  ["6 h", 360],
  ["24 h", 1440],
  ["7 d", 10080],
];
// Clocks that differ by less are not worth a word: a DS3231 drifts two minutes in a year.
const CLOCK_OFF_MS = 120000;
// The newest reading is on the card; the series may follow.
const RELOAD_MS = 10000;
const RELOAD_LAST_MS = 60000;
const FLAGS = [
  [1, "clock lost power"],
  [2, "memory repaired"],
  [4, "rain alarm on the sensor"],
  [128, "nobody answered: earlier channel and power"],
];

const NOT_KNOWN = "what fell before a new count is not known";

const state = { sensor: null, mayWrite: false, minutes: 15, bucket_ms: 0, loaded_ms: 0, heard_ms: null, notes: null };

const charts = {
  rain: new Chart(at("rain"), at("rain-out"), {
    name: "Rain",
    unit: "mm",
    colour: "--rain",
    bars: true,
    least: 1,
    value: (point) => point.rain_mm,
    text: (point) => (point.rain_unknown ? `${rain(point)}: ${NOT_KNOWN}` : rain(point)),
    summary: (points) => {
      const sum = (field) => points.reduce((total, point) => total + point[field], 0);
      const all = { rain_mm: sum("rain_mm"), rain_unknown: sum("rain_unknown") };
      const why = all.rain_unknown ? `: ${NOT_KNOWN}` : "";
      return `${rain(all)} in all${why}; mm in ${duration(state.bucket_ms)} each`;
    },
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
    name: "Battery",
    unit: "V",
    colour: "--supply",
    least: 0.4,
    value: (point) => point.supply_v,
    text: (point) => number(point.supply_v, 3, "V"),
    summary: (points) => newest(points, "supply_v", 3, "V"),
  }),
};

/** Behind a key for another sensor, or a count that began anew, nobody knows what fell since the reading before. */
function rain({ rain_mm, rain_unknown }) {
  const known = number(rain_mm, 1, "mm");
  return rain_unknown ? `at least ${known}` : known;
}

function newest(points, field, digits, unit) {
  const last = points.findLast((point) => point[field] !== null);
  return last ? `now ${number(last[field], digits, unit)}` : "";
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

/** Stretches in which rain may have fallen that no count tells of. */
function unknownRainOf(series) {
  const beginOf = (index) => (index ? series.points[index - 1].time_ms : series.from_ms);
  return series.points.flatMap((point, index) => (point.rain_unknown ? [[beginOf(index), point.time_ms]] : []));
}

let loading = null;
async function load() {
  const sensor = state.sensor;
  if (!sensor) return;
  loading?.abort();
  loading = new AbortController();
  const to = Math.round(now());
  // No bucket shorter than the sensor's period: it would be empty every other time.
  const points = Math.round(Math.min(at("rain").clientWidth / 3, (state.minutes * 60) / sensor.period_s));
  const query = new URLSearchParams({ device: sensor.id, from_ms: to - state.minutes * 60000, to_ms: to, points });
  try {
    const answer = await fetch(`/api/series?${query}`, { signal: loading.signal });
    if (!answer.ok) return refused(answer);
    showSeries(await answer.json(), sensor.period_s);
    state.loaded_ms = Date.now();
    state.heard_ms = sensor.heard_ms;
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function showSeries(series, period_s) {
  state.bucket_ms = series.bucket_ms;
  const gaps = gapsOf(series, period_s);
  charts.rain.show(series, [...gaps, ...unknownRainOf(series)]);
  charts.temperature.show(series, gaps);
  charts.supply.show(series, gaps);
  const lost = series.points.reduce((sum, point) => sum + point.lost, 0);
  const came = series.points.reduce((sum, point) => sum + point.came, 0);
  const cut = series.cut ? `; more readings than can be shown: from ${moment(series.from_ms)}` : "";
  at("lost").textContent = `(${lost} of ${lost + came}${cut})`;
  fill(
    "readings",
    7,
    "No readings in this time.",
    series.points
      .slice(-20)
      .reverse()
      .map((point) => [
        moment(point.time_ms),
        rain(point),
        number(point.temperature_c, 2, "°C"),
        number(point.supply_v, 3, "V"),
        String(point.came),
        String(point.lost),
        String(point.late),
      ]),
  );
}

function facts(sensor) {
  const flags = FLAGS.filter(([bit]) => sensor.flags & bit).map(([, text]) => text);
  const clockText =
    sensor.clock_s === null
      ? "not set"
      : new Date(sensor.clock_s * 1000).toISOString().replace(".000Z", " UTC").replace("T", " ");
  const off = clockOff(sensor.clock_ahead_s === null ? null : sensor.clock_ahead_s * 1000, CLOCK_OFF_MS);
  return [
    ["Number", sensor.id],
    ["Rain since set up", number(sensor.rain_mm, 1, "mm")],
    ["Its clock", off ? `${clockText}, ${off}` : clockText],
    ["Signal", signal(sensor.signal_dbm)],
    ["It says", flags.join(", ") || "all well"],
    ["Key epoch", sensor.epoch],
    ["Cipher", sensor.suite === 1 ? "Ascon-AEAD128" : "AES-128-CCM"],
    ["Counter", sensor.counter ?? "–"],
    ["Accepted", sensor.accepted],
  ];
}

const coordinate = (value) => (value === null || value === undefined ? "" : String(value));

/** Written into the form unless somebody is at it. */
function showForm(sensor) {
  const form = at("edit");
  const wanted = JSON.stringify([sensor.id, sensor.name, sensor.latitude, sensor.longitude]);
  const isBusy = form.contains(document.activeElement) && form.dataset.device === String(sensor.id);
  if (form.dataset.shown === wanted || isBusy) return;
  form.dataset.shown = wanted;
  form.dataset.device = sensor.id;
  form.elements.name.value = sensor.name;
  setPlace(coordinate(sensor.latitude), coordinate(sensor.longitude));
  at("edit-said").textContent = "";
}

export function setPlace(latitude, longitude) {
  at("edit").elements.latitude.value = latitude;
  at("edit").elements.longitude.value = longitude;
}

/** Called with all that is known of the chosen sensor, each time that something of it changed. */
export function showDetail(sensor, mayWrite) {
  const isOther = state.sensor?.id !== sensor.id;
  Object.assign(state, { sensor, mayWrite });
  at("detail").hidden = false;
  at("detail-title").textContent = sensor.name;
  at("export").elements.device.value = sensor.id;
  at("edit").hidden = !mayWrite;
  showForm(sensor);
  at("facts").replaceChildren(
    ...facts(sensor).map(([term, value]) =>
      make("div", {}, make("dt", { textContent: term }), make("dd", { textContent: String(value) })),
    ),
  );
  if (isOther || state.notes !== sensor.notes) {
    state.notes = sensor.notes;
    showNotes(at("notes"), `/api/sensors/${sensor.id}/notes`, mayWrite);
  }
  const pause_ms = Math.min(RELOAD_LAST_MS, Math.max(RELOAD_MS, state.minutes * 100));
  const isDue = sensor.heard_ms !== state.heard_ms && Date.now() - state.loaded_ms >= pause_ms;
  return isOther || isDue ? load() : Promise.resolve();
}

/** `pick`: lets the next touch of the map say where the sensor stands. */
export function setUpDetail(pick) {
  for (const [label, minutes] of RANGES) {
    const element = make("button", { type: "button", textContent: label });
    element.setAttribute("aria-pressed", String(minutes === state.minutes));
    element.addEventListener("click", () => {
      state.minutes = minutes;
      for (const other of at("ranges").children) other.setAttribute("aria-pressed", String(other === element));
      load();
    });
    at("ranges").append(element);
  }
  const form = at("edit");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name, latitude, longitude } = form.elements;
    try {
      const fields = { name: name.value, latitude: latitude.value, longitude: longitude.value };
      await send(`/api/sensors/${state.sensor.id}`, fields);
      at("edit-said").textContent = "Saved.";
    } catch (error) {
      at("edit-said").textContent = error.message;
    }
  });
  at("pick").addEventListener("click", pick);
  at("here").hidden = !window.isSecureContext || !navigator.geolocation;
  at("here").addEventListener("click", () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => setPlace(coords.latitude.toFixed(5), coords.longitude.toFixed(5)),
      () => {
        at("edit-said").textContent = "This device does not say where it is.";
      },
      { enableHighAccuracy: true },
    ),
  );
}
