/** Choose a method: a list, a description of the chosen one, and its settings. */

import { once } from "./api.js";
import { h, uid } from "./elements.js";

/** A picker among the methods for "documents" or "sets"; `onChange` gets the spec, such as `textrank(window=5)`. */
export function methodPicker({ label = "Method", among = "documents", value, onChange }) {
  const id = uid("method");
  const about = h("p", { class: "method-about", id: `${id}-about` });
  const settings = h("div", { class: "settings" });
  const select = h("select", { id, "aria-describedby": about.id, onchange: () => { describe(); onChange(select.value); } },
    h("option", { value }, value));
  let methods = [];

  function describe() {
    const method = methods.find((one) => one.name === select.value);
    if (!method) return;
    about.replaceChildren(method.summary);
    const notes = [method.paper, method.needs, method.pace].filter((one) => one && one !== "ours" && one !== "several documents");
    if (notes.length) about.append(" ", h("span", { class: "method-notes" }, notes.join(" · ")));
    settings.replaceChildren(...settingsOf(method, methods, onChange));
  }

  once("v1/methods").then((answer) => {
    methods = answer.methods;
    select.replaceChildren(...methods.filter((one) => one.for === among).map((one) =>
      h("option", { value: one.name, disabled: !one.available, title: one.reason || null }, one.available ? one.name : `${one.name} (not set up here)`)));
    select.value = value.split("(", 1)[0];
    describe();
  }).catch((error) => { about.textContent = error.message; });

  return { element: h("div", { class: "field method" }, h("label", { class: "label", for: id }, label), select, about, settings) };
}

/** A field for each parameter of `method`, collapsed at first. */
function settingsOf(method, methods, onChange) {
  if (!method.parameters?.length) return [];
  const fields = method.parameters.map((one) => ({ ...one, ...field(one, methods, () => onChange(spec(method.name, fields))) }));
  return [h("details", {}, h("summary", {}, "Settings"), h("div", { class: "settings-grid" }, fields.map((one) => one.element)))];
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
function spec(name, fields) {
  const given = fields.map((one) => ({ ...one, value: one.read() })).filter((one) => one.value !== null && one.value !== one.default);
  const written = given.map(({ name: key, kind, value }) => `${key}=${typeof value === "boolean" ? (value ? "True" : "False") : kind === "choice" ? `'${value}'` : value}`);
  return written.length ? `${name}(${written.join(", ")})` : name;
}
