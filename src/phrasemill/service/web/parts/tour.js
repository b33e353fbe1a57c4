/** The example tour: a document, a folder, a set, a contrast, each one click after the other. */

import { go } from "./address.js";
import { h, icon } from "./elements.js";

const NEXT = "M4 10h12m0 0l-5-5m5 5l-5 5";
const STEPS = [
  { view: "document", words: "One document: click a phrase to see where it stands and why it was chosen.", next: "Next: a folder" },
  { view: "folder", words: "A folder: one row per document. Click a phrase to filter, a name to read.", next: "Next: a set" },
  { view: "set", words: "A set: what its documents have in common, with quotes.", next: "Next: a contrast" },
  { view: "contrast", words: "Two sets: what marks each out from the other.", next: "" },
];

/** The line that says what the example of `view` shows and leads to the next one; null unless `isExample`. */
export function tourStep(view, isExample) {
  if (!isExample) return null;
  const at = STEPS.findIndex((one) => one.view === view);
  const { words, next } = STEPS[at];
  return h("div", { class: "tour", role: "note" },
    h("span", { class: "badge" }, `Example ${at + 1} of ${STEPS.length}`), h("p", {}, words),
    next
      ? h("button", { class: "button small primary", type: "button", onclick: () => go(`#${STEPS[at + 1].view}?doc=example`) }, next, icon(NEXT, { size: 14 }))
      : h("button", { class: "button small", type: "button", onclick: () => go("#document") }, "Your own texts", icon(NEXT, { size: 14 })));
}
