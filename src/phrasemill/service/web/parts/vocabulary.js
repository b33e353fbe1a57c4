/** A vocabulary or tags of the reader's own: a file or typed phrases, preferred or the only ones allowed. */

import { h, plural, uid } from "./elements.js";
import { fileButton } from "./file_drop.js";

const MOST = 1000; // phrases that a request may contain
const LABELS = ["label", "preflabel", "tag", "term", "name", "phrase", "keyphrase", "text"];

/** `onChange` gets the part of a request: `{ boost }`, `{ candidates }` or nothing. */
export function vocabulary({ onChange }) {
  const id = uid("vocabulary");
  const note = h("p", { class: "hint", role: "status" });
  const field = h("textarea", { id, rows: 3, placeholder: "One phrase per line", onchange: changed });
  const mode = h("select", { id: `${id}-mode`, onchange: changed },
    h("option", { value: "boost" }, "Prefer these"), h("option", { value: "candidates" }, "Only these"));
  const clear = h("button", { class: "link", type: "button", hidden: true, onclick: () => { field.value = ""; changed(); } }, "Remove");

  function changed() {
    const all = [...new Set(field.value.split("\n").map((one) => one.trim()).filter(Boolean))];
    const phrases = all.slice(0, MOST);
    clear.hidden = !all.length;
    note.textContent = all.length > MOST ? `The first ${MOST.toLocaleString("en")} of ${all.length.toLocaleString("en")} phrases are used.` : all.length ? `${plural(all.length, "phrase")} in use.` : "";
    onChange(phrases.length ? { [mode.value]: phrases } : {});
  }

  async function read([file]) {
    const found = phrasesOf(await file.text(), file.name);
    if (found.length) field.value = found.join("\n");
    changed();
    if (!found.length) note.textContent = `There are no phrases in ${file.name}. Use one phrase per line, CSV, or JSON.`;
  }

  return {
    element: h("div", { class: "vocabulary" },
      h("label", { class: "label", for: id }, "Your vocabulary or tags"), field,
      h("div", { class: "row" },
        h("label", { class: "sr-only", for: mode.id }, "How to use them"), mode,
        fileButton("Upload", read, { accept: ".txt,.csv,.tsv,.json,.jsonl", multiple: false, kind: "small" }), clear),
      note),
  };
}

/** The phrases in a file: lines, the first or the labelled column of CSV, strings or labels in JSON. */
export function phrasesOf(text, name) {
  if (/\.jsonl$/i.test(name)) return text.split("\n").filter((line) => line.trim()).flatMap((line) => ofJson(parsed(line)));
  if (/\.json$/i.test(name)) return ofJson(parsed(text));
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  if (!/\.(csv|tsv)$/i.test(name)) return lines;
  const rows = lines.map((line) => cells(line, /\.tsv$/i.test(name) ? "\t" : ","));
  const at = rows[0]?.findIndex((one) => LABELS.includes(one.toLowerCase())) ?? -1;
  return rows.slice(at < 0 ? 0 : 1).map((row) => row[Math.max(at, 0)]).filter(Boolean);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function ofJson(value) {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(ofJson);
  if (!value || typeof value !== "object") return [];
  const key = Object.keys(value).find((one) => LABELS.includes(one.toLowerCase()));
  return key ? ofJson(value[key]) : [];
}

/** The cells of one line of CSV; quotes may contain the separator. */
function cells(line, separator) {
  const found = [];
  let cell = "";
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      found.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  return [...found, cell.trim()];
}
