/** The bar above a result: method, how many, language, options; and on the right what can be done with the result. */

import { html, Menu, plural, useEffect, useRef, useState, useUid } from "./elements.js";
import { FileButton } from "./intake.js";
import { MethodPicker, MethodSettings, SecondMethod, useMethods } from "./methods.js";

const REST = 160; // ms that a slider rests before its number is asked for
const MOST_PHRASES = 1000; // of a vocabulary in one request
const LIMITS = ["longest", "shortest", "stopwords", "diversity", "replace_stopwords"];
const SET_LIMITS = ["longest", "shortest", "stopwords"];

/** `chosen` is `{ method, top, language?, limits?, known?, second? }`; `onChange` gets what is to be changed in it.
    `among` is "documents" or "sets"; `found` is the language of the document on the desk, if there is one. */
export function ControlBar({ chosen, onChange, among = "documents", found = null, onDesk = false, children }) {
  const ofSets = among === "sets";
  return html`<div class="control-bar" role="group" aria-label="What to find">
    <${MethodPicker}
      ...${{ among }} value=${chosen.method} language=${found} onChange=${(method) => onChange({ method })}
    />
    ${onDesk && html`<${SecondMethod} value=${chosen.second} onChange=${(second) => onChange({ second })} />`}
    <${Amount} value=${chosen.top} onChange=${(top) => onChange({ top })} />
    ${onDesk && found && html`<${Language}
      ...${{ found }} chosen=${chosen.language} onChange=${(language) => onChange({ language })}
    />`}
    <${Menu} words="Options" wide>
      <div class="options">
        <${MethodSettings} spec=${chosen.method} onChange=${(method) => onChange({ method })} />
        <${Limits}
          of=${ofSets ? SET_LIMITS : LIMITS} value=${chosen.limits} onChange=${(limits) => onChange({ limits })}
        />
        ${!ofSets && html`<${Vocabulary} onChange=${(known) => onChange({ known })} />`}
      </div>
    <//>
    <div class="bar-actions">${children}</div>
  </div>`;
}

/** The fields of a request that `chosen` stands for. */
export function requested({ method, top, limits = {}, known = {} }) {
  return { method, top, ...limits, ...known };
}

/** The settings as an address has them, and back. */
export function settingsQuery({ method, top, language, second, limits = {} }) {
  const written = Object.entries(limits).map(([name, value]) => [name, [value].flat().join(" ")]);
  return { method, top, language, second, ...Object.fromEntries(written) };
}

export function settingsFrom(query, defaults) {
  const limits = {};
  for (const name of ["longest", "shortest", "diversity"]) if (query[name]) limits[name] = Number(query[name]);
  if (query.stopwords) limits.stopwords = query.stopwords.split(" ");
  if (query.replace_stopwords) limits.replace_stopwords = true;
  return {
    method: query.method || defaults.method,
    top: Number(query.top) || defaults.top,
    language: query.language || "",
    second: query.second || "",
    limits,
  };
}

/** How many phrases: a slider that shows its number, and reports it when it rests. */
export function Amount({ value, most = 40, onChange }) {
  const id = useUid("amount");
  const [shown, setShown] = useState(value);
  const timer = useRef(0);
  useEffect(() => setShown(value), [value]);

  function moved({ currentTarget }) {
    const next = Number(currentTarget.value);
    setShown(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next), REST);
  }

  return html`<div class="amount">
    <label class="label" for=${id}>How many</label>
    <input
      type="range" id=${id} min="1" max=${most} step="1" value=${shown} oninput=${moved}
      style=${{ "--filled": `${(100 * (shown - 1)) / (most - 1)}%` }}
    />
    <output for=${id} class="amount-number">${shown}</output>
  </div>`;
}

/** The language of a text as a chip: the one that was found, or the one that was chosen. */
function Language({ found, chosen, onChange }) {
  const id = useUid("language");
  const { languages } = useMethods();
  const name = languages.find(({ code }) => code === found)?.name ?? found;
  const title = chosen ? "You chose this language" : "Found from the text; choose another if it is wrong";
  return html`<span class=${`chip language${chosen ? " chosen" : ""}`} title=${title}>
    <label class="sr-only" for=${id}>Language</label>
    <span class="chip-words" aria-hidden="true">${name}</span>
    <select id=${id} class="chip-select" value=${chosen} onchange=${(event) => onChange(event.currentTarget.value)}>
      <option value="">${chosen ? "Find it from the text" : `${name} (found from the text)`}</option>
      ${languages.map((one) => html`<option value=${one.code} selected=${one.code === chosen}>${one.name}</option>`)}
    </select>
  </span>`;
}

const NUMBER = { type: "number", parse: (text) => (text === "" ? undefined : Number(text)) };
const FIELDS = {
  longest: { ...NUMBER, words: "most words", min: 1, max: 10000, step: 1, placeholder: "any" },
  shortest: { ...NUMBER, words: "fewest words", min: 1, max: 10000, step: 1, placeholder: "1" },
  stopwords: {
    type: "text",
    words: "more stopwords",
    placeholder: "study, paper",
    title: "No phrase begins or ends with these words.",
    parse: (text) => text.match(/[^\s,;]+/g) ?? undefined,
  },
  diversity: { ...NUMBER, words: "diversity, 0 to 1", min: 0, max: 1, step: "any", placeholder: "0" },
};

/** What phrases are returned: their length, words that they may not begin or end with, how much they differ. */
function Limits({ of, value, onChange }) {
  const id = useUid("limit");
  const own = `${id}-own`;

  function changed(name, given, field) {
    if (!field.reportValidity()) return;
    const { [name]: before, ...others } = value;
    onChange(given === undefined ? others : { ...others, [name]: given });
  }

  return html`<div class="settings">
    <p class="label">Which phrases</p>
    <div class="settings-grid">
      ${of.filter((name) => name in FIELDS).map((name) => {
        const { words, parse, ...attributes } = FIELDS[name];
        return html`<div class="setting" key=${name}>
          <label for=${`${id}-${name}`}>${words}</label>
          <input
            id=${`${id}-${name}`} ...${attributes} defaultValue=${[value[name] ?? ""].flat().join(", ")}
            onchange=${({ currentTarget }) => changed(name, parse(currentTarget.value), currentTarget)}
          />
        </div>`;
      })}
      ${of.includes("replace_stopwords") && html`<div class="setting toggle">
        <input
          id=${own} type="checkbox" checked=${Boolean(value.replace_stopwords)}
          onchange=${({ currentTarget: box }) => changed("replace_stopwords", box.checked || undefined, box)}
        />
        <label for=${own}>only these stopwords, not the language's own</label>
      </div>`}
    </div>
  </div>`;
}

/** A vocabulary or tags of the reader's own, preferred or the only ones allowed: `onChange` gets the part of a request,
    `{ boost }`, `{ candidates }` or nothing. */
function Vocabulary({ onChange }) {
  const id = useUid("vocabulary");
  const [text, setText] = useState("");
  const [mode, setMode] = useState("boost");
  const [empty, setEmpty] = useState(""); // the name of a file without phrases
  const all = phrasesIn(text);

  function use(nextText, nextMode = mode) {
    setText(nextText);
    setMode(nextMode);
    const phrases = phrasesIn(nextText).slice(0, MOST_PHRASES);
    onChange(phrases.length ? { [nextMode]: phrases } : {});
  }

  async function read([file]) {
    const found = phrasesOf(await file.text(), file.name);
    setEmpty(found.length ? "" : file.name);
    if (found.length) use(found.join("\n"));
  }

  let note = all.length ? `${plural(all.length, "phrase")} in use.` : "";
  if (all.length > MOST_PHRASES) {
    note = `The first ${MOST_PHRASES.toLocaleString("en")} of ${plural(all.length, "phrase")} are used.`;
  }
  if (empty) note = `There are no phrases in ${empty}. Use one phrase per line, CSV, or JSON.`;
  return html`<div class="vocabulary">
    <label class="label" for=${id}>Your vocabulary or tags</label>
    <textarea
      id=${id} rows="3" placeholder="One phrase per line" value=${text}
      oninput=${(event) => setText(event.currentTarget.value)} onchange=${(event) => use(event.currentTarget.value)}
    />
    <div class="row">
      <label class="sr-only" for=${`${id}-mode`}>How to use them</label>
      <select id=${`${id}-mode`} value=${mode} onchange=${(event) => use(text, event.currentTarget.value)}>
        <option value="boost">Prefer these</option>
        <option value="candidates">Only these</option>
      </select>
      <${FileButton}
        words="Upload" onFiles=${read} accept=".txt,.csv,.tsv,.json,.jsonl" multiple=${false} kind="small"
      />
      ${all.length > 0 && html`<button class="link" type="button" onclick=${() => use("")}>Remove</button>`}
    </div>
    <p class="hint" role="status">${note}</p>
  </div>`;
}

function phrasesIn(text) {
  return [...new Set(text.split("\n").map((one) => one.trim()).filter(Boolean))];
}

const LABELS = ["label", "preflabel", "tag", "term", "name", "phrase", "keyphrase", "text"];

/** The phrases in a file: lines, the first or the labelled column of CSV, strings or labels in JSON. */
function phrasesOf(text, name) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  if (/\.jsonl$/i.test(name)) return lines.flatMap((line) => ofJson(parsed(line)));
  if (/\.json$/i.test(name)) return ofJson(parsed(text));
  if (!/\.(csv|tsv)$/i.test(name)) return lines;
  const rows = lines.map((line) => cells(line, /\.tsv$/i.test(name) ? "\t" : ","));
  const at = rows[0]?.findIndex((one) => LABELS.includes(one.toLowerCase())) ?? -1;
  return rows.slice(at < 0 ? 0 : 1).map((row) => row[Math.max(at, 0)]).filter(Boolean);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function ofJson(value) {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(ofJson);
  const key = Object.keys(value ?? {}).find((one) => LABELS.includes(one.toLowerCase()));
  return key ? ofJson(value[key]) : [];
}

/** The cells of one line of CSV; quotes may contain the separator. */
function cells(line, separator) {
  const found = [""];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) found.push("");
    else found[found.length - 1] += character;
  }
  return found.map((one) => one.trim());
}
