/** Export results: copy or download them as CSV, JSON, BibTeX or plain lines; print them; copy them as a command. */

import { packed } from "./address.js";
import { announce, h, short } from "./elements.js";
import { menu } from "./menu.js";

const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const LONGEST_LINK = 32_000; // characters that browsers and mail programs pass on

/** A value as JSON, with short numbers. */
export function json(value) {
  return `${JSON.stringify(value, (_, one) => (typeof one === "number" ? short(one) : one), 2)}\n`;
}

/** Rows as CSV by RFC 4180, with short numbers. Texts that a spreadsheet would take for formulas begin with an apostrophe, as the command's do. */
export function csv(rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : typeof value === "string" && isFormula(value) ? `'${value}` : String(typeof value === "number" ? short(value) : value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function isFormula(text) {
  return /^ *[=+\-@\t\r\n＝＋－＠][^]/u.test(text) && !Number.isFinite(Number(text));
}

/** A field of a BibTeX entry. */
export function bibtex(phrases) {
  const escaped = (text) => text.replace(/\s+/g, " ").replace(/[\\~^&%$#_{}]/g, (c) => TEX[c] ?? `\\${c}`);
  return `keywords = {${phrases.map(escaped).join(", ")}},\n`;
}

/** The formats of one document's keyphrases, in the shapes of the command. */
export function documentFormats({ id, method, keyphrases }) {
  const rows = () => keyphrases.map((one, i) =>
    [id, i + 1, one.text, one.score, one.present, ...(one.spans[0] ?? ["", ""])]);
  return [
    { label: "CSV", extension: "csv", render: () => csv([["id", "rank", "text", "score", "present", "start", "end"], ...rows()]) },
    { label: "JSON", extension: "json", render: () => json({ id, method, keyphrases }) },
    ...phraseFormats(keyphrases.map((one) => one.text)),
  ];
}

/** The formats of a list of phrases. */
export function phraseFormats(phrases) {
  return [
    { label: "BibTeX", extension: "bib", render: () => bibtex(phrases) },
    { label: "Plain text", extension: "txt", render: () => phrases.map((one) => `${one}\n`).join("") },
  ];
}

/** A menu of formats, each to copy or to download as `name` with its extension; and to print what is on the screen. */
export function exportMenu({ name, formats, prints = true }) {
  const rows = formats.map((format) =>
    h("li", {}, h("span", { class: "menu-label" }, format.label),
      h("button", { class: "link", type: "button", "aria-label": `Copy as ${format.label}`, onclick: (event) => copy(format, event.target) }, "Copy"),
      h("button", { class: "link", type: "button", "aria-label": `Download as ${format.label}`, onclick: () => download(format, name) }, "Download")));
  const print = h("li", {}, h("span", { class: "menu-label" }, "Report"), h("button", { class: "link", type: "button", onclick: () => { made.close(); window.print(); } }, "Print or save as PDF"));
  const made = menu("Export", h("ul", {}, rows, prints ? print : null));
  return made.element;
}

/** A menu that copies a link to what is on the screen, or the commands that give the same. `text` is packed into the
    link, so that it works in other browsers. */
export function shareMenu({ commands, link = null }) {
  const rows = commands.map((format) => h("li", {}, h("span", { class: "menu-label" }, format.label),
    h("button", { class: "link", type: "button", "aria-label": `Copy as ${format.label}`, onclick: (event) => copy(format, event.target) }, "Copy")));
  if (link) rows.push(h("li", {}, h("span", { class: "menu-label" }, "Link with the text"),
    h("button", { class: "link", type: "button", "aria-label": "Copy a link", onclick: (event) => copyLink(link, event.target) }, "Copy")));
  return menu("Copy as", h("ul", {}, rows)).element;
}

async function copyLink({ content, address }, button) {
  const url = new URL(address(await packed(JSON.stringify(content))), document.baseURI).href;
  if (url.length > LONGEST_LINK) {
    button.textContent = "Too long for a link";
    announce("The text is too long for a link");
  } else await copy({ label: "Link", render: () => url }, button);
}

async function copy(format, button) {
  let word = "Copied";
  try {
    await navigator.clipboard.writeText(format.render());
  } catch {
    word = "Not allowed"; // browsers copy only on secure pages, and localhost
  }
  button.textContent = word;
  announce(word === "Copied" ? `${format.label} copied` : "The browser does not allow copying on this page");
  setTimeout(() => { button.textContent = "Copy"; }, 1600);
}

function download(format, name) {
  saveAs(new Blob([format.render()], { type: "text/plain;charset=utf-8" }), `${stemOf(name)}-keyphrases.${format.extension}`);
}

/** Give a blob to the reader as a file. */
export function saveAs(blob, filename) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: filename }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function stemOf(name) {
  return name.replace(/\.[a-z]{2,4}$/i, "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "document";
}
