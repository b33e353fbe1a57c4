/** The page: its tabs, one view for each, and what happens to files that are dropped on it. */

import { go, NAMES, openView, useOpenView } from "./parts/address.js";
import { nameOf } from "./parts/documents.js";
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./parts/elements.js";
import { droppable } from "./parts/intake.js";
import { ContrastView, SetView } from "./views/sets.js";
import { DocumentView } from "./views/document.js";
import { EvaluateView } from "./views/evaluate.js";
import { FolderView } from "./views/folder.js";

const VIEWS = {
  document: DocumentView,
  folder: FolderView,
  set: SetView,
  contrast: ContrastView,
  evaluate: EvaluateView,
};
const COLLECTIONS = /\.(zip|csv|tsv|jsonl|ndjson|json|parquet|7z|tar|tgz|gz|bz2|xz|zst)$/i;

/** Tabs by the rules of the ARIA practices: one stop of the tab key, arrows between them. */
function Tabs() {
  const chosen = useOpenView();
  const list = useRef();

  /** Scrolls the list alone: `scrollIntoView` would also move where the tab key starts. */
  useLayoutEffect(() => {
    const inside = list.current.querySelector("[aria-selected=true]").getBoundingClientRect();
    const around = list.current.getBoundingClientRect();
    list.current.scrollLeft += Math.min(0, inside.left - around.left) + Math.max(0, inside.right - around.right);
  }, [chosen]);

  function keys(event) {
    const at = NAMES.indexOf(chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: NAMES.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const name = NAMES[(to + NAMES.length) % NAMES.length];
    go(name);
    document.getElementById(`tab-${name}`).focus();
  }

  return html`<div class="tabs" role="tablist" aria-label="What to do" ref=${list} onkeydown=${keys}>
    ${NAMES.map((name) => html`<button
      role="tab" id=${`tab-${name}`} aria-controls=${`view-${name}`} aria-selected=${String(name === chosen)}
      tabindex=${name === chosen ? 0 : -1} onclick=${() => go(name)}
    >${name[0].toUpperCase()}${name.slice(1)}</button>`)}
  </div>`;
}

/** The views; each is made when it is first opened, and stays. */
function Views() {
  const chosen = useOpenView();
  const opened = useRef(new Set());
  opened.current.add(chosen);
  const [given, setGiven] = useState({}); // by view, the files that were last given to it
  const give = (view, files) => setGiven((before) => ({ ...before, [view]: { files } }));

  /** One document is opened, several become a folder. */
  function open(files, { asFolder = false } = {}) {
    const isOne = files.length === 1 && !asFolder && !COLLECTIONS.test(nameOf(files[0]));
    const view = isOne ? "document" : "folder";
    give(view, files);
    if (openView() !== view) go(view, {});
  }

  useEffect(() => droppable(document.body, (files) => {
    const view = openView();
    if (view === "document" || view === "folder") open(files);
    else give(view, files);
  }), []);

  return NAMES.map((name) => html`<section
    key=${name} role="tabpanel" id=${`view-${name}`} aria-labelledby=${`tab-${name}`} class="view"
    hidden=${name !== chosen}
  >
    ${opened.current.has(name) && html`<${VIEWS[name]} given=${given[name]} open=${open} />`}
  </section>`);
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
render(html`<${Tabs} />`, document.getElementById("tabs"));
render(html`<${Views} />`, document.getElementById("views"));
