/** Phrases against documents: how often each occurs in each. Arrows move between cells, Enter shows the quotes. */

import { h, plural } from "./elements.js";

const STEPS = 5; // shades of a cell

/** A table; `onCell(phrase, document)` is called with the indexes of a cell, or with document -1 for a whole row. */
export function matrix({ keyphrases, documents, onCell }) {
  const column = new Map(documents.map((one, i) => [one.id, i]));
  const counts = keyphrases.map((one) => {
    const row = documents.map(() => 0);
    for (const { document, spans } of one.mentions) row[column.get(document)] = spans.length;
    return row;
  });
  const most = Math.max(1, ...counts.flat());
  const buttons = [];

  const cell = (count, i, j) => {
    const shade = count ? Math.max(1, Math.ceil((STEPS * count) / most)) : 0;
    const button = h("button", {
      class: `cell shade-${shade}`, type: "button", tabindex: -1, disabled: !count, data: { row: i, column: j },
      "aria-label": `${keyphrases[i].text} in ${documents[j].name}: ${count ? plural(count, "place") : "none"}`, onclick: () => choose(button, i, j),
    }, count ? String(count) : "");
    buttons.push(button);
    return h("td", {}, button);
  };

  function choose(button, i, j) {
    for (const one of buttons) one.classList.toggle("current", one === button);
    onCell(i, j);
  }

  const head = h("thead", {}, h("tr", {},
    h("th", { scope: "col" }, "Phrase"),
    h("th", { scope: "col", class: "number matrix-in-head" }, "In"),
    documents.map((one, j) => h("th", { scope: "col", class: "matrix-column" },
      h("span", { "aria-hidden": "true", title: one.name }, String(j + 1)), h("span", { class: "sr-only" }, one.name)))));
  const body = h("tbody", {}, keyphrases.map((one, i) => h("tr", {},
    h("th", { scope: "row" },
      h("button", { class: "matrix-phrase", type: "button", onclick: () => choose(null, i, -1) }, one.text),
      variants(one)),
    h("td", { class: "number matrix-in" }, `${one.documents}/${one.total}`),
    counts[i].map((count, j) => cell(count, i, j)))));

  const table = h("table", { class: "matrix", onkeydown: keys }, h("caption", { class: "sr-only" }, "How often each phrase stands in each document"), head, body);
  const first = buttons.find((one) => !one.disabled);
  if (first) first.tabIndex = 0;

  function keys(event) {
    const { row, column: at } = event.target.dataset;
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [0, 0];
    if (row === undefined || (!down && !right)) return;
    event.preventDefault();
    let [i, j] = [Number(row) + down, Number(at) + right];
    while (counts[i]?.[j] === 0) [i, j] = [i + down, j + right];
    const to = buttons.find((one) => Number(one.dataset.row) === i && Number(one.dataset.column) === j);
    if (!to) return;
    for (const one of buttons) one.tabIndex = one === to ? 0 : -1;
    to.focus();
  }

  return { element: h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Phrases against documents" }, table), counts };
}

/** The other wordings that documents use. */
export function variants(keyphrase) {
  const others = keyphrase.variants.filter((one) => one.toLowerCase() !== keyphrase.text.toLowerCase()).slice(0, 3);
  return others.length ? h("span", { class: "also" }, `also ${others.join(", ")}`) : null;
}
