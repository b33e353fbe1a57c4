/** The language of a text, found from it or chosen. */

import { once } from "./api.js";
import { h, uid } from "./elements.js";

export function languageSelect({ value, onChange }) {
  const id = uid("language");
  const select = h("select", { id, class: "language-select", onchange: () => onChange(select.value) }, h("option", { value }, value));
  once("v1/methods").then(({ languages }) => {
    select.replaceChildren(...languages.map(({ code, name }) => h("option", { value: code }, name)));
    select.value = value;
  }).catch(() => { /* the code is shown instead of the name */ });
  return h("span", { class: "language" }, h("label", { class: "sr-only", for: id }, "Language"), select);
}
