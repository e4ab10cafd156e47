// The page: follows the server's events, each of which tells what changed, and hands them to the parts of the page.

import { Alarms } from "/alarms.js";
import { setPlace, setUpDetail, showDetail } from "/detail.js";
import { SiteMap } from "/map.js";
import { setUpPeople, showUser } from "/people.js";
import { Cards, showSummary } from "/sensors.js";
import { setUpSound } from "/sound.js";
import { showGateways, showNotices, showRefusals } from "/tables.js";
import { at, clocks, now, refused } from "/words.js";

const CARDS = 60;
const TYPING_MS = 250;
const RETRY_MS = 3000;
// "3 s ago" grows old even while nothing comes; that is when it matters.
const AGE_MS = 5000;

/** A list that the server tells by its differences (difference.rs). */
class Listing {
  constructor(key) {
    this.key = key;
    this.rows = new Map();
    this.order = [];
  }

  change({ rows = [], order = this.order }) {
    for (const row of rows) this.rows.set(row[this.key], { ...this.rows.get(row[this.key]), ...row });
    const left = new Set(order);
    for (const key of this.rows.keys()) if (!left.has(key)) this.rows.delete(key);
    this.order = order;
  }

  all() {
    return this.order.map((key) => this.rows.get(key));
  }
}

const nothing = () => ({
  summary: null,
  chosen: {},
  sensors: new Listing("id"),
  alarms: new Listing("number"),
  gateways: new Listing("name"),
  notices: new Listing("number"),
  refusals: new Listing("number"),
  refused: {},
});

let known = nothing();
const view = { find: "", standing: "", cards: CARDS, chosen: 0, map: 0 };
const stream = crypto.getRandomValues(new Uint32Array(3)).join("-");

const mayWrite = () => known.summary?.user.role !== "viewer";

// --- what is looked at

async function tellView() {
  const answer = await fetch("/api/view", { method: "POST", body: new URLSearchParams({ stream, ...view }) });
  if (!answer.ok) refused(answer);
}

function look(changed) {
  Object.assign(view, changed);
  tellView().catch(() => {}); // the stream itself says when there is no connection
}

let scrolls = false;
function choose(id, scroll) {
  scrolls = scroll;
  if (known.chosen.id === id) scrollToDetail();
  look({ chosen: id });
  show({ sensors: true });
}

function scrollToDetail() {
  if (!scrolls) return;
  scrolls = false;
  at("detail").scrollIntoView({
    behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    block: "start",
  });
}

// --- what is shown

const alarms = new Alarms(choose);
const cards = new Cards(choose);
const map = new SiteMap(at("map"), choose);

/** `parts`: those that may have changed. */
function show(parts) {
  const { summary } = known;
  if (!summary) return;
  if (parts.summary) {
    showUser(summary.user);
    at("map-empty").hidden = summary.placed;
  }
  if (parts.summary || parts.sensors) {
    showSummary(summary, view.standing, (standing) => {
      look({ standing, cards: CARDS });
      show({ summary: true });
    });
    cards.show(known.sensors.all(), view.chosen, summary.found);
    const names = new Map(known.sensors.all().map((sensor) => [sensor.id, sensor.name]));
    if (known.chosen.id !== undefined) names.set(known.chosen.id, known.chosen.name);
    if (view.map) map.mark(view.chosen, names, summary.tiles);
  }
  if (parts.alarms || parts.summary) alarms.show(known.alarms.all(), summary.counts.alarmed ?? 0, mayWrite());
  if (parts.chosen && known.chosen.id === view.chosen)
    showDetail(known.chosen, mayWrite()).then(scrollToDetail, () => {});
  if (parts.gateways) showGateways(known.gateways.all());
  if (parts.notices || parts.summary?.user) showNotices(known.notices.all(), mayWrite());
  if (parts.refusals || parts.refused) showRefusals(known.refused, known.refusals.all());
}

function take(changes) {
  clocks.offset_ms = changes.now_ms - Date.now();
  if (changes.summary) known.summary = { ...known.summary, ...changes.summary };
  for (const name of ["sensors", "alarms", "gateways", "notices", "refusals"])
    if (changes[name]) known[name].change(changes[name]);
  if (changes.chosen) known.chosen = { ...known.chosen, ...changes.chosen };
  if (changes.refused) known.refused = { ...known.refused, ...changes.refused };
  if (changes.map) map.change(changes.map);
  if (!view.chosen && known.sensors.order.length) choose(known.sensors.order[0], false);
  show(changes);
}

// --- the server

function connection(word, kind) {
  at("connection").textContent = word;
  at("connection").className = `pill ${kind}`;
}

function follow() {
  const events = new EventSource(`/api/live?${new URLSearchParams({ stream, ...view })}`);
  events.addEventListener("open", () => {
    known = nothing();
    map.forget();
    // The address holds what was looked at when it was made.
    tellView().catch(() => {});
  });
  events.addEventListener("changes", (event) => {
    connection("live", "good");
    take(JSON.parse(event.data));
  });
  events.addEventListener("error", () => {
    connection("no connection to the server", "bad");
    if (events.readyState !== EventSource.CLOSED) return;
    // A session that ended is answered with an error too; the next question tells them apart.
    setTimeout(() => {
      tellView().catch(() => {});
      follow();
    }, RETRY_MS);
  });
}

let typing = null;
at("filter").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => look({ find: at("filter").value.trim(), cards: CARDS }), TYPING_MS);
});
at("more").addEventListener("click", () => look({ cards: view.cards + CARDS }));

at("map-part").open = localStorage.getItem("map") !== "closed";
view.map = Number(at("map-part").open);
at("map-part").addEventListener("toggle", () => {
  const isOpen = Number(at("map-part").open);
  localStorage.setItem("map", isOpen ? "open" : "closed");
  if (isOpen !== view.map) look({ map: isOpen });
});
at("nearer").addEventListener("click", () => map.zoomBy(1));
at("farther").addEventListener("click", () => map.zoomBy(-1));
at("whole").addEventListener("click", () => map.fit());

setUpSound();
setUpPeople();
setUpDetail(() => {
  // A sensor whose series comes late must not scroll the map away from under the touch.
  scrolls = false;
  at("map-part").open = true;
  at("map-part").scrollIntoView({ block: "start" });
  map.pick((latitude, longitude) => {
    setPlace(latitude, longitude);
    at("edit").scrollIntoView({ block: "center" });
  });
});
setInterval(() => show({ sensors: true, gateways: true }), AGE_MS);
follow();
