/** Choose a method: the first choices as buttons, the others in a menu by groups; the settings of the chosen one. */

import { once } from "./api.js";
import { h, uid } from "./elements.js";
import { menu } from "./menu.js";
import { grouped, quickChoices } from "./method_groups.js";

/** A picker among the methods for "documents" or "sets"; `onChange` gets the spec, such as `textrank(window=5)`.
    Methods that cannot run on this server are not offered. `settings` is an element for the chosen method's own. */
export function methodPicker({ label = "Method", among = "documents", value, onChange }) {
  let spec = value;
  let methods = [];
  let all = [];
  let quick = [];
  let language = "";
  const segments = h("div", { class: "segments", role: "group", "aria-label": label }, h("span", { class: "segment" }, nameOf(value)));
  const settings = h("div", { class: "settings" });

  function choose(name) {
    spec = name;
    draw();
    onChange(spec);
  }

  function draw() {
    const name = nameOf(spec);
    const others = methods.filter((one) => !quick.some((other) => other.method === one.name));
    const inMenu = others.some((one) => one.name === name);
    const more = menu(inMenu ? name : quick.length ? "More" : "Method", grouped(others).map(([title, found]) => group(title, found, name)),
      { kind: `segment more${inMenu ? " pressed" : ""}`, label: inMenu ? `${label}: ${name}. More methods` : "More methods", wide: true });
    segments.replaceChildren(...quick.map((one) => h("button", {
      class: "segment", type: "button", "aria-pressed": String(one.method === name), title: fits(one) ? one.about : "For English texts only", disabled: !fits(one) && one.method !== name, onclick: () => choose(one.method),
    }, one.words)), ...(others.length ? [more.element] : []));
    const chosen = methods.find((one) => one.name === name);
    settings.replaceChildren(...(chosen ? settingsOf(chosen, all, (changed) => { spec = changed; onChange(spec); }) : []));
  }

  /** Whether a method can read the language of the text. */
  function fits({ method }) {
    return !language || language === "en" || !methods.find((one) => one.name === method)?.needs.startsWith("English");
  }

  function group(title, found, chosen) {
    return h("div", { class: "method-group", role: "group", "aria-label": title }, h("p", { class: "label" }, title), found.map((one) =>
      h("button", { class: "method-choice", type: "button", "aria-pressed": String(one.name === chosen), data: { method: one.name }, onclick: () => choose(one.name) },
        h("span", { class: "method-name" }, one.name),
        h("span", { class: "method-about" }, [one.summary, one.pace ? ` ${one.pace[0].toUpperCase()}${one.pace.slice(1)}.` : ""].join("")))));
  }

  const ready = once("v1/methods").then((answer) => {
    all = answer.methods;
    methods = all.filter((one) => one.for === among && one.available);
    quick = among === "documents" ? quickChoices(answer) : [{ words: answer.default_set, method: answer.default_set, about: "" }];
    draw();
  }).catch((error) => { segments.replaceChildren(h("span", { class: "hint" }, error.message)); });

  return {
    element: segments, settings, ready,
    /** The language of the text, as soon as it is known. */
    setLanguage(code) { if (code !== language) { language = code; draw(); } },
    get method() { return methods.find((one) => one.name === nameOf(spec)) ?? null; },
  };
}

function nameOf(spec) {
  return spec.split("(", 1)[0];
}

/** A field for each parameter of `method`. */
function settingsOf(method, methods, onChange) {
  if (!method.parameters?.length) return [];
  const fields = method.parameters.map((one) => ({ ...one, ...field(one, methods, () => onChange(specOf(method.name, fields))) }));
  return [h("p", { class: "label" }, `Settings of ${method.name}`), h("div", { class: "settings-grid" }, fields.map((one) => one.element))];
}

function field({ name, kind, default: preset, choices, largest }, methods, changed) {
  const id = uid("setting");
  const label = h("label", { for: id }, kind === "method" ? "inner method" : name.replaceAll("_", " "));
  const list = kind === "method" ? methods.filter((one) => one.for === "documents" && one.available).map((one) => one.name) : choices;
  let input;
  if (kind === "boolean") {
    input = h("input", { type: "checkbox", id, checked: preset === true, onchange: changed });
  } else if (list) {
    input = h("select", { id, onchange: changed }, (list.includes(preset) ? list : ["", ...list]).map((one) => h("option", { value: one }, one || "automatic")));
    input.value = list.includes(preset) ? preset : "";
  } else {
    input = h("input", { type: "number", id, step: kind === "integer" ? 1 : "any", max: largest, placeholder: "automatic", onchange: changed });
    input.value = preset ?? "";
  }
  const read = () => (kind === "boolean" ? input.checked : input.value === "" ? null : kind === "integer" || kind === "number" ? Number(input.value) : input.value);
  return { element: h("div", { class: "setting" }, label, input), read };
}

/** The method with the settings that differ from its own, in the grammar of the command. */
function specOf(name, fields) {
  const given = fields.map((one) => ({ ...one, value: one.read() })).filter((one) => one.value !== null && one.value !== one.default);
  const written = given.map(({ name: key, kind, value }) => `${key}=${typeof value === "boolean" ? (value ? "True" : "False") : kind === "choice" ? `'${value}'` : value}`);
  return written.length ? `${name}(${written.join(", ")})` : name;
}
