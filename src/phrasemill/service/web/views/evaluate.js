/** Predictions against gold: scores with intervals and signatures, and distributions over documents. */

import { writeAddress } from "../parts/address.js";
import { call, once } from "../parts/api.js";
import { droppable, fileButton } from "../parts/file_drop.js";
import { announce, h, icon, uid } from "../parts/elements.js";
import { EXAMPLE_GOLD, EXAMPLE_PREDICTIONS } from "../parts/examples.js";
import { entryOf, keep } from "../parts/kept.js";
import { report } from "../parts/scores.js";
import { during } from "../parts/status.js";

const CROSS = "M5.5 5.5l9 9m0-9l-9 9";
const ACCEPT = ".jsonl,.json,.txt,.final,.gz";
const RESAMPLES = 1000;

export function view(root) {
  let predictions = [];
  let gold = null;
  let preset = "default";
  let key = "";
  const state = h("div", { class: "state" });
  const result = h("div", { class: "scores" });
  const presets = presetPicker((value) => { preset = value; score(); });
  const boxes = [
    answersBox("Predictions", "One file per system, as extract --format jsonl writes them.", (files) => { predictions = named([...predictions, ...files]); }, { multiple: true }),
    answersBox("Gold", "What people chose: one record per document, under the same ids.", (files) => { gold = files.at(-1); }),
  ];
  const example = h("button", {
    class: "button", type: "button", onclick: () => {
      [predictions, gold] = [EXAMPLE_PREDICTIONS, EXAMPLE_GOLD];
      refresh();
    },
  }, "Try an example");

  function answersBox(title, words, put, { multiple = false } = {}) {
    const list = h("ul", { class: "collection-list" });
    const trouble = h("div");
    const read = async (files) => {
      const read_ = await during(trouble, "Reading", () => Promise.all(files.map(readText)));
      if (!read_) return;
      put(read_);
      refresh();
    };
    const box = h("section", { class: "card answers", "aria-label": title },
      h("h2", {}, title), h("p", { class: "hint" }, words),
      fileButton(multiple ? "Choose files" : "Choose a file", read, { accept: ACCEPT, multiple }), trouble, list,
      h("div", { class: "drop-veil", "aria-hidden": "true" }, "Drop to read"));
    droppable(box, read);
    return { element: box, list };
  }

  function refresh() {
    root.classList.toggle("filled", predictions.length > 0 || gold !== null);
    boxes[0].list.replaceChildren(...predictions.map((one) => fileItem(one, () => { predictions = predictions.filter((other) => other !== one); refresh(); })));
    boxes[1].list.replaceChildren(...(gold ? [fileItem(gold, () => { gold = null; refresh(); })] : []));
    score();
  }

  async function score() {
    if (!gold || !predictions.length) {
      result.replaceChildren();
      return;
    }
    key = gold === EXAMPLE_GOLD && predictions === EXAMPLE_PREDICTIONS ? "example" : keep("evaluate", predictions.map((one) => one.name).join(", "), { predictions, gold });
    writeAddress("evaluate", { query: { doc: key, preset: preset === "default" ? "" : preset } });
    const answer = await during(state, "Scoring", (signal) => call("v1/evaluate", {
      json: { predictions, gold: { text: gold.text, field: gold.field }, preset, resamples: RESAMPLES }, signal,
    }), score, { result, choose: ({ where }) => (field) => choose(field, where) });
    if (!answer) return;
    result.replaceChildren(...report(answer));
    announce("Scores are ready");
  }

  /** Read the phrases from another field of the file that `where` names. */
  function choose(field, where) {
    const number = /predictions\.(\d+)/.exec(where)?.[1];
    if (number === undefined) gold = { ...gold, field };
    else predictions = predictions.with(Number(number), { ...predictions[number], field });
    score();
  }

  root.replaceChildren(
    h("div", { class: "hero" },
      h("h1", {}, "How good are they?"),
      h("p", { class: "lead" }, "Drop what your systems predicted and what people chose. Every score says how it was computed."),
      example),
    h("div", { class: "answers-row" }, boxes.map((one) => one.element)),
    presets.element, state, result);

  /** Show what the address names. */
  function shown({ query = {} } = {}) {
    if ((query.doc ?? "") === key) return;
    const content = query.doc === "example" ? { predictions: EXAMPLE_PREDICTIONS, gold: EXAMPLE_GOLD } : entryOf(query.doc)?.content;
    preset = query.preset || "default";
    presets.choose(preset);
    ({ predictions, gold } = content ?? { predictions: [], gold: null });
    key = query.doc ?? "";
    refresh();
  }

  function collect() {
    state.replaceChildren(h("p", { class: "notice", role: "alert" }, "Drop what systems predicted on the left box, and what people chose on the right one."));
  }

  return { shown, collect };
}

function fileItem(file, remove) {
  return h("li", {}, h("span", { class: "collection-name" }, file.name),
    h("button", { class: "icon-button small", type: "button", "aria-label": `Remove ${file.name}`, onclick: remove }, icon(CROSS, { size: 14 })));
}

/** Return the text of a file, decompressed if necessary. */
async function readText(file) {
  const body = file.name.endsWith(".gz") ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file;
  return { name: file.name.replace(/\.gz$/, "").replace(/\.(jsonl?|txt|final)$/, ""), text: await new Response(body).text() };
}

/** Return files with unique names. */
function named(files) {
  const taken = new Set();
  return files.map((file) => {
    let name = file.name;
    for (let number = 2; taken.has(name); number += 1) name = `${file.name} (${number})`;
    taken.add(name);
    return { ...file, name };
  });
}

function presetPicker(onChange) {
  const id = uid("preset");
  const about = h("p", { class: "method-about", id: `${id}-about` });
  const select = h("select", { id, "aria-describedby": about.id, onchange: () => { describe(); onChange(select.value); } }, h("option", { value: "default" }, "default"));
  let known = [];
  const describe = () => {
    const one = known.find((other) => other.name === select.value);
    about.replaceChildren(one ? `${one.summary}. ${one.consequence}` : "");
  };
  once("v1/metrics").then((answer) => {
    known = answer.presets;
    const before = select.wanted ?? select.value;
    select.replaceChildren(...known.map((one) => h("option", { value: one.name }, one.name)));
    select.value = before;
    describe();
  }).catch((error) => { about.textContent = error.message; });
  const choose = (name) => { select.wanted = name; select.value = name; describe(); };
  const element = h("div", { class: "card controls one-control" }, h("div", { class: "field method" }, h("label", { class: "label", for: id }, "Scored as in"), select, about));
  return { element, choose };
}
