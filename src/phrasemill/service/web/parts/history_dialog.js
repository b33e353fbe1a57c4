/** The list of what was worked on lately, and the switch that turns it off. */

import { addressOf, go } from "./address.js";
import { h, icon } from "./elements.js";
import { history_ } from "./kept.js";

const CROSS = "M5.5 5.5l9 9m0-9l-9 9";
const KINDS = { document: "Document", compare: "Comparison", set: "Set", contrast: "Contrast", folder: "Folder", evaluate: "Scores" };

export function historyButton(button) {
  button.addEventListener("click", show);
}

function show() {
  const list = h("ul", { class: "history-list", tabindex: 0, "aria-label": "Entries" });
  const clear = h("button", { class: "button quiet small", type: "button", onclick: () => { history_.clear(); draw(); } }, "Remove all");
  const toggle = h("input", { type: "checkbox", id: "history-on", checked: history_.isOn, onchange: () => { history_.turn(toggle.checked); draw(); } });
  const close = () => dialog.close();

  function draw() {
    const entries = history_.entries();
    clear.hidden = !entries.length;
    list.replaceChildren(...(entries.length ? entries.map(item) : [h("li", { class: "hint" }, history_.isOn ? "Nothing yet." : "The history is off.")]));
  }
  function item(entry) {
    const address = addressOf(entry.view, { rest: entry.rest, query: { doc: entry.id, ...entry.query } });
    return h("li", {},
      h("a", { class: "history-entry", href: address, onclick: (event) => { event.preventDefault(); close(); go(address); } },
        h("span", { class: "history-name" }, entry.name),
        h("span", { class: "hint" }, `${KINDS[entry.view] ?? entry.view} · ${new Date(entry.when).toLocaleString()}`)),
      h("button", { class: "icon-button small", type: "button", "aria-label": `Remove ${entry.name}`, onclick: () => { history_.remove(entry.id); draw(); } }, icon(CROSS, { size: 14 })));
  }

  const dialog = h("dialog", { class: "dialog history", "aria-labelledby": "history-title", onclose: () => dialog.remove() },
    h("div", { class: "dialog-head" }, h("h2", { id: "history-title" }, "History"),
      h("button", { class: "icon-button", type: "button", "aria-label": "Close", onclick: close }, icon(CROSS))),
    h("p", { class: "hint" }, "Kept in this browser only. The server deletes texts after use."),
    list,
    h("div", { class: "row history-foot" },
      h("span", { class: "switch" }, toggle, h("label", { for: "history-on" }, "Keep a history")), clear));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  draw();
  document.body.append(dialog);
  dialog.showModal();
}
