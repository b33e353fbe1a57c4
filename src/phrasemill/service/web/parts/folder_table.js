/** Documents against keyphrases, one row per document. Only the rows in view are elements, so thousands stay smooth. */

import { Problem } from "./api.js";
import { withoutName } from "./documents.js";
import { html, useLayoutEffect, useListener, useMemo, useReducer, useRef, useState } from "./elements.js";

const SPARE = 8; // rows above and below those in view
const SHORT = matchMedia("(max-width: 40rem)");
const COLUMNS = [["number", "#"], ["name", "Document"], ["language", "Language"], ["phrases", "Keyphrases"]];

/** What a row is called. */
export function titleOf({ title, id, file, number }) {
  return title || id || file || `Document ${number}`;
}

/** `rows` are those of a job; `shape` is how they are sorted and filtered. `onOpen(row)` is called for a click on
    a name, `onPhrase(text)` for one on a phrase, `onSort(column)` for one on a heading. */
export function FolderTable({ rows, shape, onOpen, onPhrase, onSort }) {
  const body = useRef();
  const [{ first, last }, setSeen] = useState({ first: 0, last: 0 });
  const [, draw] = useReducer((number) => number + 1, 0);
  const handlers = useRef(); // the latest: rows are drawn again only where they changed
  handlers.current = { onOpen, onPhrase };

  useListener(window, "scroll", draw);
  useListener(window, "resize", draw);
  useLayoutEffect(() => {
    if (!body.current.offsetParent) return;
    const top = body.current.getBoundingClientRect().top;
    const from = Math.max(0, Math.min(rows.length, Math.floor(-top / rowHeight()) - SPARE));
    const to = Math.min(rows.length, Math.ceil((innerHeight - top) / rowHeight()) + SPARE);
    if (from !== first || to !== last) setSeen({ first: from, last: to });
  });

  return html`<div class="folder-frame card" hidden=${!rows.length}>
    <table class="folder-table" aria-rowcount=${rows.length + 1}>
      <caption class="sr-only">Keyphrases of each document</caption>
      <thead>
        <tr>
          ${COLUMNS.map(([name, words]) => html`<th
            scope="col" class=${`folder-${name}`}
            aria-sort=${shape.sort === name ? (shape.falling ? "descending" : "ascending") : undefined}
          >
            ${name === "phrases" ? words : html`<button class="sort" type="button" onclick=${() => onSort(name)}>
              ${words}
            </button>`}
          </th>`)}
        </tr>
      </thead>
      <tbody ref=${body}>
        <${Spacer} rows=${first} />
        ${rows.slice(first, last).map((row, i) => html`<${Row}
          key=${row.number} index=${first + i + 2} filter=${shape.filter} width=${innerWidth} ...${{ row, handlers }}
        />`)}
        <${Spacer} rows=${Math.max(0, rows.length - last)} />
      </tbody>
    </table>
  </div>`;
}

/** The room of rows that are not drawn. */
function Spacer({ rows }) {
  return html`<tr class="spacer" aria-hidden="true">
    <td colspan=${COLUMNS.length} style=${{ height: `${rows * rowHeight()}px` }} />
  </tr>`;
}

/** Rows have one height, so that the place of each is known: that of the style sheet. */
function rowHeight() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) * (SHORT.matches ? 6.5 : 3.75);
}

function Row({ row, index, filter, width, handlers }) {
  const cell = useRef();
  useLayoutEffect(() => fit(cell.current), [row, filter, width]);
  const phrases = useMemo(() => phrasesOf(row, filter, handlers), [row, filter]);
  const open = () => handlers.current.onOpen(row);
  const title = titleOf(row);
  return html`<tr data-number=${row.number} data-status=${row.status} aria-rowindex=${index}>
    <td class="folder-number">${row.number}</td>
    <th scope="row" class="folder-name">
      ${row.status === "done"
        ? html`<button class="folder-open" type="button" title=${title} onclick=${open}>${title}</button>`
        : html`<span title=${title}>${title}</span>`}
      ${row.file && row.file !== title && html`<span class="folder-file">${row.file}</span>`}
    </th>
    <td class="folder-language">${row.language}</td>
    <td class="folder-phrases"><div class="folder-cell" ref=${cell}>${phrases}</div></td>
  </tr>`;
}

function phrasesOf(row, filter, handlers) {
  if (row.status === "failed") {
    const reason = withoutName(new Problem(row.problem ?? {}).message || "unknown reason", row.file ?? "");
    return html`<span class="folder-problem"><strong>Failed: </strong>${reason}</span>`;
  }
  if (row.status !== "done") return html`<span class="hint">${row.status}</span>`;
  if (!row.keyphrases?.length) return html`<span class="hint">no keyphrases</span>`;
  const isHit = (text) => filter && text.toLowerCase().includes(filter);
  const rest = (row.found ?? row.keyphrases.length) - row.keyphrases.length;
  const open = () => handlers.current.onOpen(row);
  return [
    ...row.keyphrases.map(({ text }) => html`<button
      class=${`folder-phrase${isHit(text) ? " hit" : ""}`} type="button" tabindex="-1"
      onclick=${() => handlers.current.onPhrase(text)}
    >${text}</button>`),
    html`<button class="folder-more" type="button" tabindex="-1" data-rest=${rest} onclick=${open} />`,
  ];
}

/** Hide the phrases that do not fit into a cell, and show how many these are: only the browser knows their width. */
function fit(cell) {
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
