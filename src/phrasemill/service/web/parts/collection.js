/** A set of documents that grows and shrinks: a box to add more, and a list of what is there. */

import { h, icon, plural } from "./elements.js";
import { textInput } from "./text_input.js";
import { distinct } from "./upload.js";

const CROSS = "M5.5 5.5l9 9m0-9l-9 9";

/** `onChange` is called whenever the set changes. */
export function collection({ name, label, rows = 5, onChange = () => {}, onExample = null }) {
  let documents = [];
  let byHand = false; // the reader opened the box
  const list = h("ul", { class: "collection-list", "aria-label": `Documents in ${name}` });
  const count = h("span", { class: "collection-count" });
  const clear = h("button", { class: "link", type: "button", "aria-label": `Remove all from ${name}`, onclick: () => put([]) }, "Remove all");
  const toggle = h("button", { class: "button quiet small", type: "button", "aria-expanded": "true", onclick: () => { byHand = inside.hidden; unfold(byHand); } }, "Add or remove");
  const box = textInput({ label, submit: "Add text", several: true, rows, onDocuments: add, onExample });

  function add(more) {
    put([...documents, ...more]);
  }

  function put(all) {
    documents = distinct(all);
    draw();
    onChange(documents);
  }

  function unfold(open) {
    inside.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
  }

  function draw() {
    clear.hidden = documents.length < 2;
    toggle.hidden = !documents.length;
    if (!documents.length) {
      byHand = false;
      unfold(true);
    }
    count.textContent = documents.length ? plural(documents.length, "document") : "empty";
    list.replaceChildren(...documents.map((one) => h("li", {},
      h("span", { class: "collection-name", title: one.name }, one.name),
      h("button", { class: "icon-button small", type: "button", "aria-label": `Remove ${one.name}`, onclick: () => put(documents.filter((other) => other !== one)) }, icon(CROSS, { size: 14 })))));
  }

  const inside = h("div", { class: "collection-inside" }, box.element, list, clear);
  draw();
  return {
    element: h("div", { class: "collection" }, h("div", { class: "collection-head" }, h("h2", {}, name), count, toggle), inside),
    put,
    /** Show only how many documents there are, unless the reader opened the box or it names files that failed. */
    fold() {
      if (!byHand && !box.element.querySelector(".trouble")) unfold(false);
    },
    read: box.read,
    get documents() { return documents; },
  };
}
