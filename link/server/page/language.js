// Brazilian Portuguese, for a browser that asks for it (or by ?lang=pt-BR, which is remembered; ?lang=en undoes it). The
// page is written in English; what a reader sees of it is translated as it appears, by the forms of the catalogue.

const asked = new URLSearchParams(location.search).get("lang");
if (asked) localStorage.setItem("lang", asked);
const spoken = navigator.languages.find((one) => /^(pt|en)\b/i.test(one));
const language = localStorage.getItem("lang") ?? spoken ?? navigator.language;
export const isPortuguese = language.toLowerCase().startsWith("pt");

const ATTRIBUTES = ["aria-label", "title", "placeholder"];
const PLACEHOLDER = /\{(\w+)\}/g;
const LETTERS = /\p{L}{2}/u;
// A form with fewer letters of its own is one of names and figures, not of sentences.
const LIGHT_LETTERS = 9;
const OF_SENTENCES = /\b(the|a|an|is|are|of|and|with|by|for|to|in|on|at|than|its)\b/;

/** The messages of a .po file (GNU gettext, "The Format of PO Files"), without its header. */
function readPo(text) {
  const messages = new Map();
  let [message, said, part] = ["", "", ""];
  for (const line of [...text.split("\n"), 'msgid ""']) {
    const quoted = line.slice(line.indexOf('"'));
    if (line.startsWith("msgid ")) {
      if (message) messages.set(message, said);
      [message, said, part] = [JSON.parse(quoted), "", "msgid"];
    } else if (line.startsWith("msgstr ")) [said, part] = [JSON.parse(quoted), "msgstr"];
    else if (line.startsWith('"') && part === "msgid") message += JSON.parse(quoted);
    else if (line.startsWith('"')) said += JSON.parse(quoted);
  }
  return messages;
}

class Catalogue {
  constructor(messages) {
    this.messages = messages;
    this.forms = [...messages]
      .filter(([message]) => message.includes("{"))
      .map(([message, text]) => {
        const literal = message.replace(PLACEHOLDER, "");
        const escaped = message.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\\?\{(\w+)\}/g, "(?<_$1>.*?)");
        const letters = literal.match(/\p{L}/gu)?.length ?? 0;
        return { pattern: new RegExp(`^${escaped}$`, "s"), text, weight: literal.length, light: letters < LIGHT_LETTERS };
      })
      .sort((a, b) => b.weight - a.weight);
    this.known = new Map();
  }

  /** The text in Portuguese; itself where the catalogue has nothing. */
  text(said) {
    const core = said.trim();
    if (!LETTERS.test(core)) return said;
    if (!this.known.has(core)) {
      if (this.known.size > 5000) this.known.clear(); // times and figures make ever new sentences
      this.known.set(core, this.find(core.replace(/\s+/g, " ")) ?? core);
    }
    return said.replace(core, () => this.known.get(core));
  }

  find(said) {
    if (this.messages.has(said)) return this.messages.get(said);
    for (const form of this.forms) {
      const found = form.pattern.exec(said);
      if (!found) continue;
      const parts = Object.values(found.groups);
      if (form.light && parts.some((part) => OF_SENTENCES.test(part) && this.find(part) === null)) continue;
      return form.text.replace(PLACEHOLDER, (_, name) => this.text(found.groups[`_${name}`]));
    }
    return null;
  }
}

// What this module wrote itself: it is not translated a second time.
const written = new WeakMap();

function translate(catalogue, node) {
  // What a person wrote is left as it is.
  if ((node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.translate === false) return;
  if (node.nodeType === Node.TEXT_NODE) {
    if (written.get(node) === node.data) return;
    const text = catalogue.text(node.data);
    written.set(node, text);
    if (text !== node.data) node.data = text;
  } else if (node.nodeType === Node.ELEMENT_NODE && !["SCRIPT", "STYLE"].includes(node.tagName)) {
    for (const name of ATTRIBUTES) {
      const value = node.getAttribute(name);
      const text = value && catalogue.text(value);
      if (text && text !== value) node.setAttribute(name, text);
    }
    for (const child of node.childNodes) translate(catalogue, child);
  }
}

async function speakPortuguese() {
  const answer = await fetch("/pt-BR.po");
  if (!answer.ok) return;
  const catalogue = new Catalogue(readPo(await answer.text()));
  document.documentElement.lang = "pt-BR";
  translate(catalogue, document.documentElement);
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "childList") for (const node of change.addedNodes) translate(catalogue, node);
      else translate(catalogue, change.target);
    }
  }).observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ATTRIBUTES,
  });
}

const other = document.getElementById("language");
if (isPortuguese) Object.assign(other, { textContent: "English", lang: "en" });
other.translate = false;
other.addEventListener("click", () => {
  localStorage.setItem("lang", isPortuguese ? "en" : "pt-BR");
  location.replace(location.pathname);
});
if (isPortuguese) speakPortuguese();
