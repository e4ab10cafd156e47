// The report without this script is complete but long; with it, tables sort and filter, plots and answers are chosen,
// rows open to their provenance, and the page can be made dark.
"use strict";

const THIN_SPACE = "\u202f";
const DECIMAL_SIGN = document.documentElement.lang === "pt-BR" ? "," : ".";

function withDecimalSign(text) {
  return text.replace(".", DECIMAL_SIGN);
}

// A word that is read, where others of its form are names: a page in another language has another word here.
const said = (word) => word;
const FIDELITIES = { exact: said("exact"), modelled: said("modelled"), measured: said("measured") };

function formatNumber(value) {
  if (value === null || value === undefined) return "not measured";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  const [whole, fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
  return fraction === undefined ? grouped : `${grouped}${DECIMAL_SIGN}${fraction}`;
}

function formatTimes(times) {
  if (times > 0.5 && times < 2) {
    const percent = Number(((times - 1) * 100).toPrecision(2));
    return `${percent < 0 ? "" : "+"}${withDecimalSign(String(percent))}\u00a0%`;
  }
  return `${times < 10 ? withDecimalSign(times.toFixed(1)) : formatNumber(Math.round(times))}\u00a0×`;
}

function formatTime(us) {
  const [unit, scale] = us >= 1e6 ? ["s", 1e6] : us >= 1e4 ? ["ms", 1e3] : ["µs", 1];
  const value = us / scale;
  if (Number.isInteger(value) || value >= 1000) return `${formatNumber(Math.round(value))} ${unit}`;
  const text = value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(3)));
  return `${withDecimalSign(text)} ${unit}`;
}

// --- theme -----------------------------------------------------------------------------------------------------------

function setUpTheme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("bancada-theme", root.dataset.theme);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    show();
  });
  system.addEventListener("change", show);
  show();
}

// --- one of several: answers by algorithm, plots by question ---------------------------------------------------------

function showPanel(group, id) {
  for (const panel of document.querySelectorAll(`[data-panel="${CSS.escape(group)}"]`)) {
    panel.classList.toggle("later", panel.id !== id);
  }
}

// As if the reader had chosen it.
function choosePanel(panel) {
  const choices = `[data-shows="${CSS.escape(panel.dataset.panel)}"]`;
  const pill = document.querySelector(`${choices} input[value="${CSS.escape(panel.id)}"]`);
  if (pill) pill.checked = true;
  else document.querySelector(`${choices} select`).value = panel.id;
  showPanel(panel.dataset.panel, panel.id);
}

function setUpPanels() {
  for (const choice of document.querySelectorAll("[data-shows]")) {
    choice.addEventListener("change", (event) => showPanel(choice.dataset.shows, event.target.value));
    // A browser that comes back to the page restores what was chosen.
    const chosen = choice.querySelector("input:checked, select");
    if (chosen) showPanel(choice.dataset.shows, chosen.value);
  }
}

// --- limits: the first table again, of what fits ---------------------------------------------------------------------

class Answer {
  constructor(form) {
    this.form = form;
    this.data = JSON.parse(document.getElementById(`contenders-${form.dataset.answer}`).textContent);
    this.rows = [...form.closest(".answer").querySelectorAll("tr[data-question]")];
    this.drawn = this.rows.map((row) => [...row.cells].slice(1).map((cell) => [...cell.childNodes]));
    for (const kind of ["input", "change"]) form.addEventListener(kind, () => this.update());
    form.addEventListener("reset", () => requestAnimationFrame(() => this.update()));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.update();
  }

  get mine() {
    return this.form.elements.mine.value;
  }

  // What the reader lets through: limits are of the metrics that have a field in the form.
  fits(contender, algorithm) {
    const [, algorithmAt, , verdict, , , values] = contender;
    if (algorithm && this.data.algorithms[algorithmAt] !== algorithm) return false;
    const audit = this.form.elements.audit.value;
    if ((audit === "1" && verdict === 2) || (audit === "2" && verdict !== 1)) return false;
    return this.data.metrics.every(([name], place) => {
      const limit = this.form.elements[name]?.value;
      return !limit || (values[place] !== null && values[place] <= Number(limit));
    });
  }

  update() {
    const elements = [...this.form.elements].filter((control) => control.name && control.value);
    const limited = elements.some((control) => control.name !== "mine");
    this.rows.forEach((row, index) => {
      const every = this.data.questions[row.dataset.question] ?? [];
      const fitting = every.filter((contender) => this.fits(contender, row.dataset.algorithm));
      [...row.cells].slice(1).forEach((cell, place) => {
        cell.classList.toggle("none", limited && !fitting.length);
        if (limited) cell.replaceChildren(...this.cell(fitting, place));
        else cell.replaceChildren(...this.drawn[index][place]);
        this.addMine(cell, every, row.dataset.algorithm, limited ? fitting : every, place);
      });
    });
  }

  // Best first by one metric, each name once; of equals, the order is that of the other metrics.
  ranked(contenders, place) {
    const sign = this.data.metrics[place][2] ? 1 : -1;
    const known = contenders.filter((contender) => contender[6][place] !== null);
    const byOthers = (a, b) => a[6].reduce((found, value, at) => found || value - b[6][at], 0);
    const order = (a, b) => sign * (a[6][place] - b[6][place]) || byOthers(a, b);
    const names = new Set();
    return known.sort(order).filter((contender) => !names.has(contender[0]) && names.add(contender[0]));
  }

  cell(contenders, place) {
    const ranked = this.ranked([...contenders], place);
    if (!ranked.length) return [document.createTextNode("nothing fits")];
    const value = ranked[0][6][place];
    const winners = ranked.filter((contender) => contender[6][place] === value);
    const [, unit, less, timed, usEach] = this.data.metrics[place];
    const figure = document.createElement("strong");
    const parts = [figure];
    figure.textContent = `${formatNumber(value)} ${unit}`;
    if (usEach) {
      const also = element("span", "also", figure.textContent);
      figure.textContent = formatTime(value * usEach);
      parts.push(" ", also);
    }
    const who = element("span", "who");
    winners.slice(0, 2).forEach((contender, at) => who.append(at ? " = " : "", ...this.named(contender)));
    if (winners.length > 2) who.append(element("span", "more", `and ${winners.length - 2} more`));
    const others = ranked.slice(winners.length);
    const reach = (contender, way) => contender[6][place] * (1 + (way * contender[4]) / 100);
    const near = others.filter((other) => timed && winners.some((winner) =>
      less ? reach(other, -1) <= reach(winner, 1) : reach(other, 1) >= reach(winner, -1)));
    if (near.length) who.append(element("span", "more", `${near.length} more within the error band`));
    if (others.length) {
      const next = element("span", "more", "next: ");
      next.append(...this.named(others[0], false), ` ${formatTimes(others[0][6][place] / value)}`);
      who.append(next);
    }
    return [...parts, who];
  }

  named(contender, withLevel = true) {
    const [nameAt, , levelAt, verdict, , anchor] = contender;
    const link = element(anchor ? "a" : "span", "", this.data.names[nameAt]);
    if (anchor) link.href = `#${anchor}`;
    const parts = [link];
    if (withLevel) parts.push(" ", element("span", "level", this.data.levels[levelAt]));
    if (verdict) parts.push(" ", element("span", verdict === 2 ? "leak" : "clean", verdict === 2 ? said("leaks") : said("clean")));
    return parts;
  }

  // How much worse is the one I have: at its own best level for this metric, whether or not it is within the limits.
  addMine(cell, every, algorithm, compared, place) {
    if (!this.mine) return;
    const at = this.data.names.indexOf(this.mine);
    const ofAlgorithm = (contender) => !algorithm || this.data.algorithms[contender[1]] === algorithm;
    const [own] = this.ranked(every.filter((contender) => contender[0] === at && ofAlgorithm(contender)), place);
    const [first] = this.ranked(compared.filter(ofAlgorithm), place);
    if (!own || !first) return;
    const times = first[6][place] ? formatTimes(own[6][place] / first[6][place]) : "";
    const unit = this.data.metrics[place][1];
    const text = `${this.mine}: ${formatNumber(own[6][place])} ${unit}${times ? `, ${times}` : ""}`;
    cell.append(element("span", "mine", text));
  }
}

function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

// --- tables ----------------------------------------------------------------------------------------------------------

// RFC 4180: a value with a comma, a quotation mark or a line break stands in quotation marks.
function csvLine(values) {
  const quoted = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return `${values.map((value) => (value === null ? "" : quoted(value))).join(",")}\r\n`;
}

function save(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

class ResultTable {
  constructor(form) {
    this.form = form;
    this.name = form.dataset.table;
    this.table = document.getElementById(`table-${form.dataset.table}`);
    this.body = this.table.tBodies[0];
    this.rows = [...this.body.rows];
    this.indexOf = new Map(this.rows.map((row, index) => [row, index]));
    this.opened = new Map();
    const data = JSON.parse(document.getElementById(`data-${form.dataset.table}`).textContent);
    this.values = data.values;
    this.fields = data.fields;
    this.figures = data.figures;
    this.earlier = data.earlier;

    this.texts = this.rows.map((row) => row.textContent.toLowerCase());
    for (const kind of ["input", "change"]) form.addEventListener(kind, (event) => this.onFilter(event.target));
    for (const button of form.querySelectorAll("[data-download]")) {
      button.addEventListener("click", () => this.download(button.dataset.download));
    }
    form.addEventListener("reset", () => requestAnimationFrame(() => this.filter()));
    form.addEventListener("submit", (event) => event.preventDefault());
    const headers = [...this.table.tHead.rows[0].cells];
    // On a phone each row is a card, whose figures carry the names of their columns.
    for (const row of this.rows) {
      [...row.cells].forEach((cell, place) => { cell.dataset.label = headers[place].textContent.trim(); });
    }
    this.form.elements.sort.addEventListener("change", (event) => {
      const header = headers.find((candidate) => candidate.dataset.column === event.target.value);
      if (header) this.sort(header, false);
    });
    for (const header of headers) {
      header.querySelector("button").addEventListener("click", () => this.sort(header));
    }
    this.body.addEventListener("click", (event) => this.onRow(event));
    for (const control of form.elements) {
      if (control.name) control.dataset.unset = control.tagName === "SELECT" ? control.options[0].value : "";
    }
    this.filter();
  }

  static at(column, index) {
    return column.each ? column.each[index] : column.distinct[column.at[index]];
  }

  onFilter(control) {
    // A filter by compiler, level or status shows all such rows, not only the best level of each implementation.
    const showsAll = ["compiler", "optimisation", "status"].includes(control.name) && control.value;
    if (showsAll) this.form.elements.level.value = "all";
    this.filter();
    this.remember();
  }

  passesLimits(index) {
    const limits = [...this.form.elements].filter((control) => control.name.startsWith("limit-") && control.value);
    return limits.every((control) => {
      const value = ResultTable.at(this.values[control.name.slice(6)], index);
      return value !== null && value <= Number(control.value);
    });
  }

  filter() {
    const searched = this.form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isFilter = (control) => control.tagName === "SELECT" && !["level", "sort"].includes(control.name);
    const wanted = [...this.form.elements].filter((control) => isFilter(control) && control.value);
    const isWanted = (control, index) => String(ResultTable.at(this.values[control.name], index)) === control.value;
    const level = this.form.elements.level.value;
    let shown = 0;
    this.rows.forEach((row, index) => {
      const atLevel = level === "all" || (Number(row.dataset.best) >> Number(level)) & 1;
      const isFound = searched.every((word) => this.texts[index].includes(word));
      const isChosen = wanted.every((control) => isWanted(control, index));
      const visible = atLevel && this.passesLimits(index) && isFound && isChosen;
      row.hidden = !visible;
      const provenance = this.opened.get(row);
      if (provenance) provenance.hidden = !visible;
      shown += visible ? 1 : 0;
    });
    const text = `${formatNumber(shown)} of ${formatNumber(this.rows.length)} results`;
    this.form.querySelector("output").textContent = text;
  }

  // The filters stand in the address, so that a link shows what its sender saw.
  remember() {
    const isSet = (control) => control.name && control.value && control.value !== control.dataset.unset;
    const set = [...this.form.elements].filter(isSet);
    const query = new URLSearchParams(set.map((control) => [control.name, control.value])).toString();
    history.replaceState(null, "", query ? `#${this.name}?${query}` : `#${this.name}`);
  }

  // Sets the filters that an address asks for.
  recall(query) {
    for (const [name, value] of new URLSearchParams(query)) {
      const control = this.form.elements[name];
      if (control) control.value = value;
    }
    this.filter();
    openAround(this.form);
    this.form.scrollIntoView();
  }

  rowOfCase(name) {
    const index = this.rows.findIndex((_, place) => ResultTable.at(this.fields.case, place) === name);
    return index < 0 ? null : this.rows[index];
  }

  // The rows that are shown, in their order, every field of the record.
  download(format) {
    const rows = [...this.body.rows].filter((row) => this.indexOf.has(row) && !row.hidden);
    const names = Object.keys(this.fields);
    const valueOf = (name, index) => ResultTable.at(this.fields[name], index);
    const recordOf = (index) => Object.fromEntries(names.map((name) => [name, valueOf(name, index)]));
    const records = rows.map((row) => recordOf(this.indexOf.get(row)));
    const json = () => records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const csv = () => [names, ...records.map((record) => names.map((name) => record[name]))].map(csvLine).join("");
    if (format === "csv") save(`${this.name}.csv`, "text/csv", csv());
    else save(`${this.name}.jsonl`, "application/jsonl", json());
  }

  sort(header, descending = header.getAttribute("aria-sort") === "ascending") {
    for (const other of this.table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const column = this.values[header.dataset.column];
    const value = (row) => ResultTable.at(column, this.indexOf.get(row));
    const ordered = [...this.rows].sort((first, second) => {
      const [a, b] = [value(first), value(second)];
      // What has no figure comes last, whichever way.
      if (a === null || b === null) return (a === null) - (b === null);
      const order = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
      return (descending ? -order : order) || this.indexOf.get(first) - this.indexOf.get(second);
    });
    const fragment = document.createDocumentFragment();
    for (const row of ordered) {
      fragment.append(row);
      const provenance = this.opened.get(row);
      if (provenance) fragment.append(provenance);
    }
    this.body.append(fragment);
  }

  onRow(event) {
    const row = event.target.closest("tr");
    if (!this.indexOf.has(row) || !getSelection().isCollapsed) return;
    this.toggle(row);
  }

  toggle(row, open = !this.opened.has(row)) {
    row.querySelector("button").setAttribute("aria-expanded", String(open));
    const known = this.opened.get(row);
    if (!open && known) {
      known.remove();
      this.opened.delete(row);
    } else if (open && !known) {
      const provenance = this.provenance(row);
      row.after(provenance);
      this.opened.set(row, provenance);
    }
  }

  // Bring a row to light whatever is filtered, and open it: where the links of the answers lead.
  reveal(row) {
    openAround(row);
    if (row.hidden) {
      this.form.reset();
      this.form.elements.level.value = "all";
      this.filter();
    }
    this.toggle(row, true);
    row.scrollIntoView({ block: "center" });
    row.querySelector("button").focus({ preventScroll: true });
  }

  provenance(row) {
    const index = this.indexOf.get(row);
    const field = (name) => ResultTable.at(this.fields[name], index);
    const figures = this.figures.map(([name, title, unit]) => {
      const value = field(name);
      const text = typeof value === "number" ? `${formatNumber(value)} ${unit}`.trim() : value;
      return [title, text];
    });
    const band = field("fidelity_band_percent") === null ? "" : ` ±${formatNumber(field("fidelity_band_percent"))} %`;
    const [passed, total] = [field("conformance_passed"), field("conformance_total")];
    const vectors = `${formatNumber(passed)} of ${formatNumber(total)} passed`;
    const facts = [
      ["Case", field("case")],
      ["Status", field("status")],
      ["Reason", field("reason")],
      ["Library", `${field("candidate")} ${field("candidate_version")}`],
      ["Implementation", field("implementation")],
      ["Target", `${field("target")} (core ${field("core")})`],
      ["Engine", `${field("engine")} ${field("engine_version")}`],
      ["Fidelity", `${FIDELITIES[field("fidelity")]}${band}`],
      ["Compiler", field("compiler")],
      ["Flags", field("flags")],
      ...figures,
      ["Vectors", total === null ? null : vectors],
      ["SP 800-38A", field("sp800_38a")],
      ["Audit", field("audit")],
      ["Proved", field("proved")],
      ["Firmware SHA-256", field("elf_sha256")],
      ["Date", field("date")],
      ["Earlier runs", this.history(index)],
      ["Schema", field("schema")],
    ];
    const link = element("a", "", "to this row");
    link.href = `#${encodeURIComponent(this.name)}/${encodeURI(field("case"))}`;
    const list = document.createElement("dl");
    for (const [name, value] of facts) {
      if (value === null || value === "") continue;
      const term = document.createElement("dt");
      const definition = document.createElement("dd");
      term.textContent = name;
      definition.textContent = value;
      list.append(term, definition);
    }
    const opened = document.createElement("tr");
    opened.className = "provenance";
    const cell = opened.insertCell();
    cell.colSpan = row.cells.length;
    const compare = element("button", "", "Put beside another row");
    compare.type = "button";
    compare.addEventListener("click", () => this.putBeside(index, compare));
    cell.append(list, element("p", "row-link", "Link "));
    cell.lastChild.append(link, " ", compare);
    return opened;
  }

  // What earlier runs of the same case gave, newest first, where it differed.
  history(index) {
    const runs = this.earlier[index] ?? [];
    const said = ([date, status, figures]) => {
      const texts = figures.map(([title, unit, value]) => `${title} ${formatNumber(value)} ${unit}`.trim());
      return `${date.slice(0, 10)}: ${status === "ok" ? texts.join(", ") : status}`;
    };
    return runs.map(said).join("; ");
  }

  // The last two rows that were asked for, side by side: what differs, and each figure with its ratio.
  putBeside(index, button) {
    this.besides = [...(this.besides ?? []).slice(-1), index];
    if (this.besides.length < 2) {
      button.textContent = "Now open the other row, and press its button";
      return;
    }
    const [first, second] = this.besides;
    const value = (name, at) => ResultTable.at(this.fields[name], at);
    const table = element("table", "side-by-side");
    table.append(element("caption", "", "Two rows side by side"));
    const head = table.createTHead().insertRow();
    for (const text of ["", value("case", first), value("case", second), "second ÷ first"]) {
      const header = element("th", "", text);
      header.scope = "col";
      head.append(header);
    }
    const body = table.createTBody();
    const titles = new Map(this.figures.map(([name, title, unit]) => [name, `${title}${unit ? `, ${unit}` : ""}`]));
    for (const name of Object.keys(this.fields)) {
      const [a, b] = [value(name, first), value(name, second)];
      if (name === "case" || (a === b && !titles.has(name)) || (a === null && b === null)) continue;
      const row = body.insertRow();
      const header = element("th", "", titles.get(name) ?? name);
      header.scope = "row";
      row.append(header);
      const isFigure = typeof a === "number" && typeof b === "number";
      const shown = (one) => (one === null ? "–" : typeof one === "number" ? formatNumber(one) : String(one));
      for (const text of [shown(a), shown(b), isFigure && a && titles.has(name) ? formatTimes(b / a) : ""]) {
        row.insertCell().textContent = text;
      }
    }
    this.besideBox?.remove();
    this.besideBox = element("div", "scroll");
    this.besideBox.tabIndex = 0;
    this.besideBox.setAttribute("role", "region");
    this.besideBox.setAttribute("aria-label", "Two rows side by side");
    this.besideBox.append(table);
    this.form.after(this.besideBox);
    this.besideBox.scrollIntoView({ block: "center" });
  }
}

// What is closed around an element is opened.
function openAround(target) {
  for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
}

// The same for a place that a link leads to, which may be in a panel that is not chosen; of a section, its closed part.
function openTo(target) {
  openAround(target);
  const panel = target.closest(".panel.later");
  if (panel) choosePanel(panel);
  const whole = target.querySelector(":scope > details.whole");
  if (whole) whole.open = true;
}

function setUpTables() {
  const tables = [...document.querySelectorAll("form[data-table]")].map((form) => new ResultTable(form));
  const follow = (id) => {
    // An address names a row by its place (links of this page), a row by its case, or the filters of a table.
    const [name, query] = id.split("?");
    const asked = tables.find((table) => table.name === name);
    if (asked && query) asked.recall(query);
    const slash = id.indexOf("/");
    const ofCase = slash > 0 && tables.find((table) => table.name === id.slice(0, slash));
    const named = ofCase && ofCase.rowOfCase(id.slice(slash + 1));
    const row = named || document.getElementById(id);
    const table = tables.find((candidate) => candidate.indexOf.has(row));
    if (table) table.reveal(row);
    else if (row) {
      openTo(row);
      row.scrollIntoView({ block: "nearest" });
    }
    return Boolean(table);
  };
  // A hash does not change when the same link is followed twice, so links are followed by hand.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && follow(decodeURIComponent(link.hash.slice(1)))) {
      event.preventDefault();
      history.pushState(null, "", link.hash);
    }
  });
  const followHash = () => location.hash && follow(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", followHash);
  followHash();
}

// --- plots as files --------------------------------------------------------------------------------------------------

const PLOT_STYLES = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight",
  "text-anchor", "dominant-baseline", "paint-order",
];

// A plot that stands alone: its colours and fonts are values, not variables of this page.
function standalone(plot) {
  const copy = plot.cloneNode(true);
  const copies = [...copy.querySelectorAll("*")];
  [...plot.querySelectorAll("*")].forEach((from, place) => {
    const style = getComputedStyle(from);
    const values = PLOT_STYLES.map((name) => `${name}: ${style.getPropertyValue(name)}`);
    copies[place].setAttribute("style", values.join("; ").replaceAll('"', "'"));
    copies[place].removeAttribute("class");
  });
  copy.removeAttribute("class");
  copy.setAttribute("style", `background: ${getComputedStyle(document.body).backgroundColor}`);
  return new XMLSerializer().serializeToString(copy);
}

function setUpPlots() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".save-svg");
    if (!button) return;
    const plots = [...button.closest("figure").querySelectorAll("svg.plot")];
    const shown = plots.find((plot) => plot.getBoundingClientRect().width);
    const name = shown.getAttribute("aria-label").split(/[.:]/)[0].replace(/[^\w-]+/g, "-");
    save(`${name}.svg`, "image/svg+xml", standalone(shown));
  });
}

// --- parts that are stored compressed (packing.py) --------------------------------------------------------------------

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

// A part may hold others, so this goes on until there are none.
async function unpack() {
  for (let parts = packedParts(); parts.length; parts = packedParts()) {
    const texts = await Promise.all(parts.map((part) => inflated(part.textContent)));
    parts.forEach((part, place) => {
      const holder = document.createElement("template");
      holder.innerHTML = texts[place];
      part.replaceWith(holder.content);
    });
  }
}

function packedParts() {
  return [...document.querySelectorAll("script.packed")];
}

function setUp() {
  setUpPanels();
  setUpPlots();
  for (const form of document.querySelectorAll("form[data-answer]")) new Answer(form);
  setUpTables();
}

setUpTheme();
if (packedParts().length) unpack().then(setUp);
else setUp();
