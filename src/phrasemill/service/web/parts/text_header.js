/** The line above a text: its name, its length, its number among several, and buttons to the others. */

import { openDocuments } from "./open_documents.js";
import { h, icon, plural, uid } from "./elements.js";
import { countWords } from "./spans.js";

const BACK = "M16 10H4m0 0l5-5m-5 5l5 5";

export function textHeader({ onNew, onTurn }) {
  const id = uid("paper");
  const several = openDocuments.documents.length > 1;
  const select = several ? h("select", { id, class: "paper-select", onchange: () => { openDocuments.turnTo(Number(select.value)); onTurn(); } },
    openDocuments.documents.map((one, i) => h("option", { value: String(i) }, one.name))) : null;
  if (select) select.value = String(openDocuments.at);
  return h("div", { class: "paper-line" },
    h("button", { class: "button quiet small", type: "button", onclick: onNew }, icon(BACK), "New text"),
    several ? h("label", { class: "sr-only", for: id }, "Document") : null,
    select ?? h("p", { class: "paper-name" }, openDocuments.document.name),
    h("p", { class: "paper-size" }, plural(countWords(openDocuments.document.content), "word")));
}
