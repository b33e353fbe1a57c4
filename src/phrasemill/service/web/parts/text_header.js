/** The line above a text: back, its name, its length. */

import { h, icon, plural } from "./elements.js";
import { countWords } from "./spans.js";

const BACK = "M16 10H4m0 0l5-5m-5 5l5 5";

export function backButton(words, onclick) {
  return h("button", { class: "button quiet small back", type: "button", onclick }, icon(BACK), words);
}

export function textHeader({ document, onNew, words = "New text" }) {
  return h("div", { class: "paper-line" },
    backButton(words, onNew),
    h("p", { class: "paper-name" }, document.name),
    h("p", { class: "paper-size" }, plural(countWords(document.content), "word")));
}
