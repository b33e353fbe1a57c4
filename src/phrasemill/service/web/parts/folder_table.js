/** Documents against keyphrases, one row per document. Only the rows in view are elements, so that thousands stay smooth. */

import { h } from "./elements.js";

const SPARE = 8; // rows above and below those in view
const SHORT = matchMedia("(max-width: 40rem)");
const STATES = { waiting: "waiting", failed: "failed", cancelled: "cancelled" };

/** `rows` are set by `show`; `onOpen(row)` is called for a click on a name, `onPhrase(text)` for one on a phrase,
    `onSort(column)` for one on a heading. */
export function folderTable({ onOpen, onPhrase, onSort }) {
  const columns = [["number", "#"], ["name", "Document"], ["language", "Language"], ["phrases", "Keyphrases"]];
  const heads = columns.map(([name, words]) => h("th", { scope: "col", class: `folder-${name}` },
    name === "phrases" ? words : h("button", { class: "sort", type: "button", onclick: () => onSort(name) }, words)));
  const above = h("tr", { class: "spacer", "aria-hidden": "true" }, h("td", { colspan: columns.length }));
  const below = h("tr", { class: "spacer", "aria-hidden": "true" }, h("td", { colspan: columns.length }));
  const body = h("tbody", {}, above, below);
  const table = h("table", { class: "folder-table" }, h("caption", { class: "sr-only" }, "Keyphrases of each document"), h("thead", {}, h("tr", {}, heads)), body);
  const element = h("div", { class: "folder-frame card" }, table);
  let rows = [];
  let drawn = new Map(); // from a row's number to { row, element }
  let highlighted = "";

  /** Show these rows; a phrase that contains `filter` is marked. */
  function show(newRows, { sort = "number", falling = false, filter = "" } = {}) {
    if (highlighted !== filter) drawn = new Map();
    [rows, highlighted] = [newRows, filter];
    heads.forEach((one, i) => {
      if (columns[i][0] === sort) one.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else one.removeAttribute("aria-sort");
    });
    table.setAttribute("aria-rowcount", String(rows.length + 1));
    draw();
  }

  function draw() {
    if (!element.isConnected || !element.offsetParent) return;
    const height = rowHeight();
    const top = body.getBoundingClientRect().top;
    const first = Math.max(0, Math.min(rows.length, Math.floor(-top / height) - SPARE));
    const last = Math.min(rows.length, Math.ceil((innerHeight - top) / height) + SPARE);
    above.firstChild.style.setProperty("height", `${first * height}px`);
    below.firstChild.style.setProperty("height", `${Math.max(0, rows.length - last) * height}px`);
    const next = new Map();
    const elements = rows.slice(first, last).map((row, i) => {
      const before = drawn.get(row.number);
      const made = before?.row === row ? before : { row, element: rowOf(row) };
      made.element.setAttribute("aria-rowindex", String(first + i + 2));
      next.set(row.number, made);
      return made.element;
    });
    drawn = next;
    const focused = document.activeElement;
    if (elements.some((one, i) => body.children[i + 1] !== one) || body.children.length !== elements.length + 2) {
      body.replaceChildren(above, ...elements, below);
      if (body.contains(focused) && document.activeElement !== focused) focused.focus({ preventScroll: true });
    }
    for (const one of elements.filter((row) => !row.dataset.fitted)) {
      fit(one);
      one.dataset.fitted = "true";
    }
  }

  function rowOf(row) {
    return h("tr", { data: { number: row.number, status: row.status } },
      h("td", { class: "folder-number" }, String(row.number)),
      h("th", { scope: "row", class: "folder-name" },
        row.status === "done" ? h("button", { class: "folder-open", type: "button", title: row.name, onclick: () => onOpen(row) }, row.name) : h("span", { title: row.name }, row.name),
        row.file && row.file !== row.name ? h("span", { class: "folder-file" }, row.file) : null),
      h("td", { class: "folder-language" }, row.language ?? ""),
      h("td", { class: "folder-phrases" }, h("div", { class: "folder-cell" }, phrasesOf(row))));
  }

  function phrasesOf(row) {
    if (row.status === "failed") return h("span", { class: "folder-problem" }, h("strong", {}, "Failed: "), row.reason);
    if (STATES[row.status]) return h("span", { class: "hint" }, STATES[row.status]);
    if (!row.keyphrases.length) return h("span", { class: "hint" }, "no keyphrases");
    const chips = row.keyphrases.map((one) => h("button", {
      class: `folder-phrase${highlighted && one.text.toLowerCase().includes(highlighted) ? " hit" : ""}`, type: "button", tabindex: -1, onclick: () => onPhrase(one.text),
    }, one.text));
    const rest = (row.found ?? chips.length) - chips.length;
    return [...chips, h("button", { class: "folder-more", type: "button", tabindex: -1, data: { rest }, onclick: () => onOpen(row) })];
  }

  /** Hide the phrases that do not fit into a row, and show how many these are. */
  function fit(row) {
    const cell = row.querySelector(".folder-cell");
    const more = cell.querySelector(".folder-more");
    if (!more) return;
    const chips = [...cell.querySelectorAll(".folder-phrase")];
    for (const one of chips) one.hidden = false;
    const bottom = cell.getBoundingClientRect().bottom + 1;
    let shown = chips.filter((one) => one.getBoundingClientRect().bottom <= bottom).length;
    const count = () => {
      const hidden = chips.length - shown + Number(more.dataset.rest);
      more.hidden = !hidden;
      more.textContent = `+${hidden}`;
      more.ariaLabel = `${hidden} more`;
      chips.forEach((one, i) => { one.hidden = i >= shown; });
    };
    for (count(); shown > 1 && cell.scrollHeight > cell.clientHeight + 1; count()) shown -= 1; // it takes room, too
    more.classList.toggle("hit", chips.slice(shown).some((one) => one.classList.contains("hit")));
  }

  addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", () => {
    for (const { element: one } of drawn.values()) delete one.dataset.fitted;
    draw();
  });
  return { element, show, draw };
}

/** Rows have one height, so that the place of each is known: that of the style sheet. */
function rowHeight() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) * (SHORT.matches ? 6.5 : 3.75);
}
