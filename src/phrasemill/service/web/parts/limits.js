/** What phrases are returned: their length in words, words that they may not begin or end with, how much they differ. */

import { h, uid } from "./elements.js";

/** Fields for the options that `of` names, with those of `value` filled in; `onChange` gets those that are set, as a request has them. */
export function limits({ of = ["longest", "shortest", "stopwords", "diversity", "replace_stopwords"], value = {}, onChange }) {
  const fields = of.map((name) => ({ name, ...FIELDS[name](changed) }));
  for (const { name, show } of fields) if (name in value) show(value[name]);

  function changed() {
    if (fields.some((one) => !one.input.reportValidity())) return;
    const given = fields.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== null);
    onChange(Object.fromEntries(given));
  }

  return h("div", { class: "settings" }, h("p", { class: "label" }, "Which phrases"), h("div", { class: "settings-grid" }, fields.map((one) => one.element)));
}

const FIELDS = {
  longest: (changed) => number("most words", { min: 1, max: 10000, step: 1, placeholder: "any" }, changed),
  shortest: (changed) => number("fewest words", { min: 1, max: 10000, step: 1, placeholder: "1" }, changed),
  stopwords: (changed) => field("more stopwords", { type: "text", placeholder: "study, paper", title: "No phrase begins or ends with these words." }, words, changed),
  diversity: (changed) => number("diversity, 0 to 1", { min: 0, max: 1, step: "any", placeholder: "0" }, changed),
  replace_stopwords: (changed) => toggle("only these stopwords, not the language's own", changed),
};

function number(name, options, changed) {
  return field(name, { type: "number", ...options }, (value) => (value === "" ? null : Number(value)), changed);
}

function field(name, options, parse, changed) {
  const id = uid("limit");
  const input = h("input", { id, ...options, onchange: changed });
  const show = (value) => { input.value = [value].flat().join(", "); };
  return { input, show, read: () => parse(input.value), element: h("div", { class: "setting" }, h("label", { for: id }, name), input) };
}

function toggle(name, changed) {
  const id = uid("limit");
  const input = h("input", { id, type: "checkbox", onchange: changed });
  const show = (value) => { input.checked = value; };
  return { input, show, read: () => input.checked || null, element: h("div", { class: "setting toggle" }, input, h("label", { for: id }, name)) };
}

function words(value) {
  const found = value.split(/[\s,;]+/).filter(Boolean);
  return found.length ? found : null;
}
