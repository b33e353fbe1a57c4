/** Results as CSV, JSON, BibTeX or plain lines, to copy or to download. */

import { announce, html, Menu, short, useState } from "./elements.js";

const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const MOMENT = 1600; // ms that a button says what it did

/** A value as JSON, with short numbers. */
export function json(value) {
  return `${JSON.stringify(value, (_, one) => (typeof one === "number" ? short(one) : one), 2)}\n`;
}

/** Rows as CSV by RFC 4180, with short numbers. Texts that a spreadsheet would take for formulas begin with an
    apostrophe, as the command's do. */
export function csv(rows) {
  const cell = (value) => {
    const text = typeof value === "number" ? String(short(value)) : String(value ?? "");
    const safe = typeof value === "string" && isFormula(value) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function isFormula(text) {
  return /^ *[=+\-@\t\r\n＝＋－＠][^]/u.test(text) && !Number.isFinite(Number(text));
}

/** A field of a BibTeX entry. */
function bibtex(phrases) {
  const escaped = (text) => text.replace(/\s+/g, " ").replace(/[\\~^&%$#_{}]/g, (c) => TEX[c] ?? `\\${c}`);
  return `keywords = {${phrases.map(escaped).join(", ")}},\n`;
}

/** A result as a table and as JSON. */
export function tableFormats(header, rows, record) {
  return [
    { label: "CSV", extension: "csv", render: () => csv([header, ...rows]) },
    { label: "JSON", extension: "json", render: () => json(record) },
  ];
}

/** A list of phrases; `of` says which, where there are several. */
export function phraseFormats(phrases, of = "") {
  return [
    { label: `BibTeX${of}`, extension: "bib", render: () => bibtex(phrases) },
    { label: `Plain text${of}`, extension: "txt", render: () => phrases.map((one) => `${one}\n`).join("") },
  ];
}

/** A menu of formats, each to copy or to download as `name` with its extension. */
export function ExportMenu({ name, formats }) {
  const [told, setTold] = useState({}); // by format, what its button says for a moment

  async function copy({ label, render }) {
    let word = "Copied";
    try {
      await navigator.clipboard.writeText(render());
    } catch {
      word = "Not allowed"; // browsers copy only on secure pages, and localhost
    }
    announce(word === "Copied" ? `${label} copied` : "The browser does not allow copying on this page");
    setTold({ [label]: word });
    setTimeout(() => setTold({}), MOMENT);
  }

  function download({ render, extension }) {
    const content = new Blob([render()], { type: "text/plain;charset=utf-8" });
    saveAs(content, `${stemOf(name)}-keyphrases.${extension}`);
  }

  return html`<${Menu} words="Export">
    <ul>
      ${formats.map((format) => html`<li key=${format.label}>
        <span class="menu-label">${format.label}</span>
        <button class="link" type="button" aria-label=${`Copy as ${format.label}`} onclick=${() => copy(format)}>
          ${told[format.label] ?? "Copy"}
        </button>
        <button
          class="link" type="button" aria-label=${`Download as ${format.label}`} onclick=${() => download(format)}
        >Download</button>
      </li>`)}
    </ul>
  <//>`;
}

/** Give a blob to the reader as a file. */
export function saveAs(blob, filename) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: filename }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function stemOf(name) {
  const letters = name.replace(/\.[a-z]{2,4}$/i, "").replace(/[^\p{L}\p{N}]+/gu, "-");
  return letters.replace(/^-|-$/g, "").slice(0, 60) || "document";
}
