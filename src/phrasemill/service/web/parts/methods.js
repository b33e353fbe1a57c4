/** Choose a method: the first choices as buttons, the others in a menu by groups; settings of the chosen one. */

import { useOnce } from "./api.js";
import { closeMenu, html, Menu, useUid } from "./elements.js";

const GROUPS = [
  ["Graphs of words", ["textrank", "singlerank", "positionrank", "topicrank", "topicalpagerank", "multipartiterank"]],
  ["Counts and positions", ["tfidf", "kpminer", "yake", "rake", "firstphrases"]],
  ["Embeddings", ["embedrank", "mderank", "bertkpe"]],
  ["Networks that write", ["generator", "catseq", "catseqd", "copyrnn"]],
  ["Trained", ["learned", "encoder", "kea", "maui", "maxent", "naivebayes"]],
];
const OTHERS = "Others";

/** The methods that can run on this server, the first choices by what a person wants, and the languages. */
export function useMethods() {
  const { answer, problem } = useOnce("v1/methods");
  if (!answer) return { problem, usable: [], quick: [], languages: [] };
  const usable = answer.methods.filter((one) => one.available);
  const quick = [
    { words: "Fast", name: answer.default, about: "Good, and answers at once." },
    { words: "Best", name: answer.best, about: "A network reads the whole text." },
    { words: "New phrases", name: "generator", about: "Also writes phrases that the text does not contain." },
    { words: answer.default_set, name: answer.default_set, about: "" },
  ].map((one) => ({ ...one, method: usable.find(({ name }) => name === one.name) }));
  const isFirst = (one, i) => one.method && quick.findIndex(({ name }) => name === one.name) === i;
  return { problem, usable, quick: quick.filter(isFirst), languages: answer.languages };
}

/** The name of the method in a spec such as `textrank(window=5)`. */
export function nameOf(spec) {
  return spec.split("(", 1)[0];
}

function grouped(methods) {
  const titleOf = ({ name }) => GROUPS.find(([, names]) => names.includes(name))?.[0] ?? OTHERS;
  return [...GROUPS.map(([title]) => title), OTHERS]
    .map((title) => [title, methods.filter((one) => titleOf(one) === title)])
    .filter(([, found]) => found.length);
}

/** A picker among the methods for "documents" or "sets". Methods that do not know `language` cannot be chosen. */
export function MethodPicker({ among, value, language = "", onChange }) {
  const { problem, usable, quick } = useMethods();
  const chosen = nameOf(value);
  const ours = usable.filter((one) => one.for === among);
  const first = quick.filter(({ method }) => method.for === among);
  const others = ours.filter((one) => !first.some(({ method }) => method === one));
  const isOther = others.some((one) => one.name === chosen);
  const fits = ({ needs }) => !language || language === "en" || !needs.startsWith("English");
  if (!ours.length) {
    return html`<div class="segments" role="group" aria-label="Method">
      <span class=${problem ? "hint" : "segment"}>${problem?.message ?? chosen}</span>
    </div>`;
  }
  return html`<div class="segments" role="group" aria-label="Method">
    ${first.map(({ words, method, about }) => html`<button
      class="segment" type="button" aria-pressed=${String(method.name === chosen)}
      title=${fits(method) ? about : "For English texts only"}
      disabled=${!fits(method) && method.name !== chosen}
      onclick=${() => onChange(method.name)}
    >${words}</button>`)}
    ${others.length > 0 && html`<${Menu}
      wide
      words=${isOther ? chosen : "More"}
      label=${isOther ? `Method: ${chosen}. More methods` : "More methods"}
      kind=${`segment more${isOther ? " pressed" : ""}`}
    >
      ${grouped(others).map(([title, found]) => html`<div class="method-group" role="group" aria-label=${title}>
        <p class="label">${title}</p>
        ${found.map((one) => html`<button
          class="method-choice" type="button" aria-pressed=${String(one.name === chosen)} data-method=${one.name}
          onclick=${(event) => { closeMenu(event); onChange(one.name); }}
        >
          <span class="method-name">${one.name}</span>
          <span class="method-about">${one.summary}${one.pace && ` ${capital(one.pace)}.`}</span>
        </button>`)}
      </div>`)}
    <//>`}
  </div>`;
}

function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}

/** A second method to compare with, or none. */
export function SecondMethod({ value, onChange }) {
  const id = useUid("second");
  const { usable } = useMethods();
  const groups = grouped(usable.filter((one) => one.for === "documents"));
  return html`<span class=${`chip second${value ? " chosen" : ""}`}>
    <label class="sr-only" for=${id}>Second method</label>
    <span class="chip-words" aria-hidden="true">${value ? `and ${value}` : "Compare"}</span>
    <select
      id=${id} class="chip-select" title="Mark what a second method finds"
      value=${value} onchange=${(event) => onChange(event.currentTarget.value)}
    >
      <option value="">None</option>
      ${groups.map(([title, found]) => html`<optgroup label=${title}>
        ${found.map(({ name }) => html`<option value=${name} selected=${name === value}>${name}</option>`)}
      </optgroup>`)}
    </select>
  </span>`;
}

/** A field for each parameter of the method in `spec`; `onChange` gets the changed spec. */
export function MethodSettings({ spec, onChange }) {
  const { usable } = useMethods();
  const method = usable.find((one) => one.name === nameOf(spec));
  if (!method?.parameters?.length) return null;
  const inner = usable.filter((one) => one.for === "documents").map((one) => one.name);
  const values = valuesOf(spec);
  return html`<div class="settings">
    <p class="label">Settings of ${method.name}</p>
    <div class="settings-grid">
      ${method.parameters.map((one) => html`<${Setting}
        key=${`${method.name}.${one.name}`}
        parameter=${{ ...one, choices: one.kind === "method" ? inner : one.choices }}
        value=${values[one.name] ?? written(one.default)}
        onChange=${(value) => onChange(specOf(method, { ...values, [one.name]: value }))}
      />`)}
    </div>
  </div>`;
}

function Setting({ parameter, value, onChange }) {
  const id = useUid("setting");
  const { name, kind, choices, largest } = parameter;
  const changed = ({ currentTarget }) => onChange(currentTarget.value);
  let field;
  if (kind === "boolean") {
    const checked = ({ currentTarget }) => onChange(written(currentTarget.checked));
    field = html`<input type="checkbox" id=${id} checked=${value === "True"} onchange=${checked} />`;
  } else if (choices) {
    const all = choices.includes(value) ? choices : ["", ...choices];
    field = html`<select id=${id} value=${value} onchange=${changed}>
      ${all.map((one) => html`<option value=${one} selected=${one === value}>${one || "automatic"}</option>`)}
    </select>`;
  } else {
    field = html`<input
      type="number" id=${id} step=${kind === "integer" ? 1 : "any"} max=${largest} placeholder="automatic"
      defaultValue=${value} onchange=${changed}
    />`;
  }
  const words = kind === "method" ? "inner method" : name.replaceAll("_", " ");
  return html`<div class="setting"><label for=${id}>${words}</label>${field}</div>`;
}

function written(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "" : String(value);
}

/** The settings that a spec names, as they are written there. */
function valuesOf(spec) {
  return Object.fromEntries([...spec.matchAll(/(\w+)=('?)([^,')]*)\2/g)].map(([, name, , value]) => [name, value]));
}

/** The method with the settings that differ from its own, in the grammar of the command. */
function specOf(method, values) {
  const given = method.parameters
    .filter((one) => values[one.name] && values[one.name] !== written(one.default))
    .map(({ name, kind }) => `${name}=${kind === "choice" ? `'${values[name]}'` : values[name]}`);
  return given.length ? `${method.name}(${given.join(", ")})` : method.name;
}
