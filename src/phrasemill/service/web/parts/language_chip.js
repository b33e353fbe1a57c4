/** The language of a text as a chip: the one that was found, or the one that was chosen. */

import { once } from "./api.js";
import { h, uid } from "./elements.js";

/** `onChange` gets a code, or "" to find the language from the text. */
export function languageChip({ onChange }) {
  const id = uid("language");
  const select = h("select", { id, class: "chip-select", onchange: () => onChange(select.value) });
  const label = h("span", { class: "chip-words", "aria-hidden": "true" });
  const element = h("span", { class: "chip language", hidden: true }, h("label", { class: "sr-only", for: id }, "Language"), label, select);
  let names = new Map();

  /** Show the language `code`; `chosen` if the reader chose it. */
  function show(code, { chosen = false } = {}) {
    const name = names.get(code) ?? code;
    select.replaceChildren(
      h("option", { value: "" }, chosen ? "Find it from the text" : `${name} (found from the text)`),
      ...[...names].map(([one, words]) => h("option", { value: one }, words)));
    select.value = chosen ? code : "";
    label.textContent = name;
    element.title = chosen ? "You chose this language" : "Found from the text; choose another if it is wrong";
    element.classList.toggle("chosen", chosen);
    element.hidden = !code;
    element.shown = [code, { chosen }];
  }

  once("v1/methods").then(({ languages }) => {
    names = new Map(languages.map(({ code, name }) => [code, name]));
    if (element.shown) show(...element.shown);
  }).catch(() => { /* the code is shown instead of the name */ });
  return { element, show };
}
