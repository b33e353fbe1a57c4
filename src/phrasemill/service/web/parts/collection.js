/** A set of documents that grows and shrinks: a box to add more, and a list of what is there. */

import { h, icon, plural } from "./elements.js";
import { textInput } from "./text_input.js";
import { distinct } from "./upload.js";

const CROSS = "M5.5 5.5l9 9m0-9l-9 9";

/** `onChange` is called whenever the set changes. */
export function collection({ name, label, rows = 5, onChange = () => {}, onExample = null }) {
  let documents = [];
  const list = h("ul", { class: "collection-list", "aria-label": `Documents in ${name}` });
  const count = h("span", { class: "collection-count" });
  const clear = h("button", { class: "link", type: "button", "aria-label": `Remove all from ${name}`, onclick: () => put([]) }, "Remove all");
  const box = textInput({ label, submit: "Add text", several: true, rows, onDocuments: add, onExample });

  function add(more) {
    put([...documents, ...more]);
  }

  function put(all) {
    documents = distinct(all);
    draw();
    onChange(documents);
  }

  function draw() {
    clear.hidden = documents.length < 2;
    count.textContent = documents.length ? plural(documents.length, "document") : "empty";
    list.replaceChildren(...documents.map((one) => h("li", {},
      h("span", { class: "collection-name", title: one.name }, one.name),
      h("button", { class: "icon-button small", type: "button", "aria-label": `Remove ${one.name}`, onclick: () => put(documents.filter((other) => other !== one)) }, icon(CROSS, { size: 14 })))));
  }

  draw();
  return {
    element: h("div", { class: "collection" },
      h("div", { class: "collection-head" }, h("h2", {}, name), count, clear), box.element, list),
    put,
    get documents() { return documents; },
  };
}
