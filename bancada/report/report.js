// The report without this script is complete but long; with it, tables sort and filter, plots and answers are chosen,
// rows open to their provenance, and the page can be made dark.
"use strict";

const THIN_SPACE = "\u202f";

function formatNumber(value) {
  if (value === null || value === undefined) return "not measured";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  const [whole, fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
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

// --- one of several: answers by algorithm, plots by question -------------------------------------------------------------

function showPanel(group, id) {
  for (const panel of document.querySelectorAll(`[data-panel="${CSS.escape(group)}"]`)) {
    panel.classList.toggle("later", panel.id !== id);
  }
}

function setUpPanels() {
  for (const choice of document.querySelectorAll("[data-shows]")) {
    choice.addEventListener("change", (event) => showPanel(choice.dataset.shows, event.target.value));
    // A browser that comes back to the page restores what was chosen.
    const chosen = choice.querySelector("input:checked, select");
    if (chosen) showPanel(choice.dataset.shows, chosen.value);
  }
}

// --- tables --------------------------------------------------------------------------------------------------------------

class ResultTable {
  constructor(form) {
    this.form = form;
    this.table = document.getElementById(`table-${form.dataset.table}`);
    this.body = this.table.tBodies[0];
    this.rows = [...this.body.rows];
    this.indexOf = new Map(this.rows.map((row, index) => [row, index]));
    this.opened = new Map();
    const data = JSON.parse(document.getElementById(`data-${form.dataset.table}`).textContent);
    this.values = data.values;
    this.fields = data.fields;

    form.addEventListener("change", (event) => this.onFilter(event.target));
    form.addEventListener("reset", () => requestAnimationFrame(() => this.filter()));
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const header of this.table.tHead.rows[0].cells) {
      header.querySelector("button").addEventListener("click", () => this.sort(header));
    }
    this.body.addEventListener("click", (event) => this.onRow(event));
    this.filter();
  }

  static at(column, index) {
    return column.each ? column.each[index] : column.distinct[column.at[index]];
  }

  onFilter(control) {
    // Who asks for a compiler, a level or an ending asks for all of it, not for those that happen to be an implementation's best.
    if (["compiler", "optimisation", "status"].includes(control.name) && control.value) this.form.elements.level.value = "all";
    this.filter();
  }

  filter() {
    const wanted = [...this.form.elements].filter((control) => control.tagName === "SELECT" && control.value && control.name !== "level");
    const level = this.form.elements.level.value;
    let shown = 0;
    this.rows.forEach((row, index) => {
      const atLevel = level === "all" || (Number(row.dataset.best) >> Number(level)) & 1;
      const visible = atLevel && wanted.every((control) => String(ResultTable.at(this.values[control.name], index)) === control.value);
      row.hidden = !visible;
      const provenance = this.opened.get(row);
      if (provenance) provenance.hidden = !visible;
      shown += visible ? 1 : 0;
    });
    const text = `${formatNumber(shown)} of ${formatNumber(this.rows.length)} results`;
    this.form.querySelector("output").textContent = text;
  }

  sort(header) {
    const descending = header.getAttribute("aria-sort") === "ascending";
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
    const figure = (name, unit) => (field(name) === null ? null : `${formatNumber(field(name))} ${unit}`);
    const cycles = ["cycles_min", "cycles_median", "cycles_max"].map((name) => formatNumber(field(name))).join(" / ");
    const band = field("fidelity_band_percent") === null ? "" : ` ±${field("fidelity_band_percent")} %`;
    const facts = [
      ["Case", field("case")],
      ["Status", field("status")],
      ["Reason", field("reason")],
      ["Library", `${field("candidate")} ${field("candidate_version")}`],
      ["Implementation", field("implementation")],
      ["Target", `${field("target")} (core ${field("core")})`],
      ["Engine", `${field("engine")} ${field("engine_version")}`],
      ["Fidelity", `${field("fidelity")}${band}`],
      ["Compiler", field("compiler")],
      ["Flags", field("flags")],
      ["Cycles, min / median / max", field("samples") === null ? null : `${cycles} over ${formatNumber(field("samples"))} inputs`],
      ["Time", figure("time_us", "µs")],
      ["Flash, this operation", figure("flash_bytes", "B")],
      ["Flash, both directions", figure("flash_both_bytes", "B")],
      ["RAM: static", figure("ram_static_bytes", "B")],
      ["RAM: key context", figure("ram_context_bytes", "B")],
      ["RAM: stack", figure("stack_bytes", "B")],
      ["Energy", figure("energy_uj", "µJ")],
      ["Initialisation", figure("initialisation_us", "µs")],
      ["Vectors", field("conformance_total") === null ? null : `${formatNumber(field("conformance_passed"))} of ${formatNumber(field("conformance_total"))} passed`],
      ["SP 800-38A", field("sp800_38a")],
      ["Audit", field("audit")],
      ["Firmware SHA-256", field("elf_sha256")],
      ["Date", field("date")],
      ["Schema", field("schema")],
    ];
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
    cell.append(list);
    return opened;
  }
}

function setUpTables() {
  const tables = [...document.querySelectorAll("form[data-table]")].map((form) => new ResultTable(form));
  const follow = (id) => {
    const row = document.getElementById(id);
    const table = tables.find((candidate) => candidate.indexOf.has(row));
    if (table) table.reveal(row);
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

setUpTheme();
setUpPanels();
setUpTables();
