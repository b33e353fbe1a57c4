/** Export results: copy or download them as CSV, JSON, BibTeX or plain lines. */

import { announce, h } from "./elements.js";

const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };

/** Rows as CSV by RFC 4180. Texts that a spreadsheet would take for formulas begin with an apostrophe, as the command's do. */
export function csv(rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : typeof value === "string" && isFormula(value) ? `'${value}` : String(value);
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
    { label: "JSON", extension: "json", render: () => `${JSON.stringify({ id, method, keyphrases }, null, 2)}\n` },
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

/** A menu of formats, each to copy or to download as `name` with its extension. */
export function exportMenu({ name, formats }) {
  const menu = h("details", { class: "menu" },
    h("summary", { class: "button small" }, "Export"),
    h("ul", { class: "menu-list" }, formats.map((format) =>
      h("li", {}, h("span", { class: "menu-label" }, format.label),
        h("button", { class: "link", type: "button", "aria-label": `Copy as ${format.label}`, onclick: (event) => copy(format, event.target) }, "Copy"),
        h("button", { class: "link", type: "button", "aria-label": `Download as ${format.label}`, onclick: () => download(format, name) }, "Download")))));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  return menu;
}

addEventListener("pointerdown", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

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
  const address = URL.createObjectURL(new Blob([format.render()], { type: "text/plain;charset=utf-8" }));
  const stem = name.replace(/\.[a-z]{2,4}$/i, "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "document";
  h("a", { href: address, download: `${stem}-keyphrases.${format.extension}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
