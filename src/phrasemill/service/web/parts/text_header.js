/** The line above a text: its name, its length, its number among several, and buttons to the others. */

import { desk } from "./open_documents.js";
import { h, icon, plural, uid } from "./elements.js";
import { countWords } from "./spans.js";

const BACK = "M16 10H4m0 0l5-5m-5 5l5 5";

export function paperLine({ onNew, onTurn }) {
  const id = uid("paper");
  const several = desk.documents.length > 1;
  const select = several ? h("select", { id, class: "paper-select", onchange: () => { desk.turnTo(Number(select.value)); onTurn(); } },
    desk.documents.map((one, i) => h("option", { value: String(i) }, one.name))) : null;
  if (select) select.value = String(desk.at);
  return h("div", { class: "paper-line" },
    h("button", { class: "button quiet small", type: "button", onclick: onNew }, icon(BACK), "New text"),
    several ? h("label", { class: "sr-only", for: id }, "Document") : null,
    select ?? h("p", { class: "paper-name" }, desk.document.name),
    h("p", { class: "paper-size" }, plural(countWords(desk.document.content), "word")));
}
