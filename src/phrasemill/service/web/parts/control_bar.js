/** The bar above a result: method, how many, language, options; and on the right what can be done with the result. */

import { amount } from "./amount.js";
import { h } from "./elements.js";
import { languageChip } from "./language_chip.js";
import { limits } from "./limits.js";
import { menu } from "./menu.js";
import { methodPicker } from "./method_picker.js";
import { vocabulary } from "./vocabulary.js";

/** `chosen` is `{ method, top, language?, limits?, known? }` and is changed in place; `onChange` is called after that.
    `among` is "documents" or "sets"; `of` names the limits that the request can have. */
export function controlBar({ chosen, onChange, among = "documents", of, withLanguage = true, withVocabulary = true, most = 40 }) {
  const set = (name) => (value) => { chosen[name] = value; onChange(); };
  const picker = methodPicker({ among, value: chosen.method, onChange: set("method") });
  const many = amount({ value: chosen.top, most, onChange: set("top") });
  const language = withLanguage ? languageChip({ onChange: set("language") }) : null;
  const panel = [picker.settings, limits({ ...(of ? { of } : {}), value: chosen.limits, onChange: set("limits") }),
    withVocabulary ? vocabulary({ onChange: set("known") }).element : null].filter(Boolean);
  const options = menu("Options", h("div", { class: "options" }, panel), { wide: true });
  const actions = h("div", { class: "bar-actions" });
  return {
    element: h("div", { class: "control-bar", role: "group", "aria-label": "What to find" },
      picker.element, many.element, language?.element, options.element, actions),
    actions,
    showLanguage(code) {
      language?.show(code, { chosen: Boolean(chosen.language) });
      picker.setLanguage(code);
    },
    ready: picker.ready,
    get method() { return picker.method; },
  };
}

/** The fields of a request that `chosen` stands for. */
export function requested({ method, top, limits: bounds = {}, known = {} }) {
  return { method, top, ...bounds, ...known };
}

/** The settings as an address has them, and back. */
export function settingsQuery({ method, top, language, limits: bounds = {} }) {
  return { method, top, language, ...Object.fromEntries(Object.entries(bounds).map(([name, value]) => [name, [value].flat().join(" ")])) };
}

export function settingsFrom(query, defaults) {
  const chosen = { ...defaults, method: query.method || defaults.method, top: Number(query.top) || defaults.top, language: query.language || "" };
  const bounds = {};
  for (const name of ["longest", "shortest", "diversity"]) if (query[name]) bounds[name] = Number(query[name]);
  if (query.stopwords) bounds.stopwords = query.stopwords.split(" ");
  if (query.replace_stopwords) bounds.replace_stopwords = true;
  return { ...chosen, limits: bounds };
}
