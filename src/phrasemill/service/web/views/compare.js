/** Two methods on one document, side by side, with what they agree on. */

import { writeAddress } from "../parts/address.js";
import { amount } from "../parts/amount.js";
import { extract } from "../parts/document_desk.js";
import { announce, h, plural } from "../parts/elements.js";
import { EXAMPLE } from "../parts/examples.js";
import { csv, exportMenu, json, phraseFormats } from "../parts/exports.js";
import { entryOf, keep } from "../parts/kept.js";
import { methodPicker } from "../parts/method_picker.js";
import { openDocument } from "../parts/open_document.js";
import { phraseList } from "../parts/phrase_list.js";
import { reader } from "../parts/reader.js";
import { during, nothing } from "../parts/status.js";
import { textHeader } from "../parts/text_header.js";
import { textInput } from "../parts/text_input.js";

const METHODS = ["learned", "multipartiterank"];

/** For each phrase of `ours` the index of the same phrase in `theirs`, or -1: the same words, or the same first place. */
export function agreement(ours, theirs) {
  const words = (one) => one.text.toLowerCase().replace(/\s+/g, " ");
  return ours.map((one) => theirs.findIndex((other) => words(one) === words(other)
    || (one.spans.length && other.spans.length && String(one.spans[0]) === String(other.spans[0]))));
}

export function view(root) {
  let seen = null; // the key of the document that is shown
  let chosen = { methods: METHODS, top: 10 };

  /** Show what the address names, or the document that is open in the view Document. */
  function shown({ query = {} } = {}) {
    const key = query.doc ?? openDocument.key;
    if (key === seen && root.childElementCount) return;
    const document = key === "example" ? EXAMPLE : entryOf(key)?.content ?? (key === openDocument.key ? openDocument.document : null);
    chosen = { methods: [query.first || METHODS[0], query.second || METHODS[1]], top: Number(query.top) || 10 };
    if (document) workspace(document, key);
    else welcome();
  }

  function take(document) {
    const key = document === EXAMPLE ? "example" : keep("document", document.name, document);
    workspace(document, key, { push: true });
  }

  function welcome() {
    seen = "";
    const box = textInput({ label: "Text to read", submit: "Compare methods", onDocuments: ([document]) => take(document), onExample: () => take(EXAMPLE) });
    root.replaceChildren(
      h("div", { class: "hero" },
        h("h1", {}, "Two methods, one text"),
        h("p", { class: "lead" }, "See side by side what each finds, and where they agree.")),
      box.element);
  }

  function workspace(document, key, { push = false } = {}) {
    seen = key;
    openDocument.put(document, key);
    const remember = (how) => writeAddress("compare", { query: { doc: key, first: chosen.methods[0], second: chosen.methods[1], top: chosen.top } }, how);
    remember({ push });
    const result = h("div", { class: "compare-columns" });
    const state = h("div", { class: "state" });
    const summary = h("p", { class: "agree-summary" });
    const exporting = h("div");
    const columns = [h("div", { class: "compare-list" }), h("div", { class: "compare-list" })];
    const text = reader(document, { onPick: (i, place) => pickFromText(i, place) });
    let merged = [];
    let walks = new Map();
    text.show([]);

    const side = (which) => methodPicker({
      label: which ? "Second method" : "First method", value: chosen.methods[which],
      onChange: (method) => { chosen.methods[which] = method; find(); },
    });
    const many = amount({ value: chosen.top, onChange: (top) => { chosen.top = top; find(); } });

    async function find() {
      remember();
      const both = await during(state, "Finding keyphrases", (signal) =>
        Promise.all(chosen.methods.map((method) => extract(document, { method, top: chosen.top }, signal))), find, { result });
      if (both) show(both);
    }

    function show(both) {
      const [ours, theirs] = both.map((one) => one.keyphrases);
      const twins = [agreement(ours, theirs), agreement(theirs, ours)];
      const agreed = twins[0].filter((one) => one >= 0).length;
      merged = [...ours.map((one, i) => ({ ...one, side: twins[0][i] >= 0 ? "both" : "first" })),
        ...theirs.flatMap((one, i) => (twins[1][i] >= 0 ? [] : [{ ...one, side: "second" }]))];
      const share = (one, list) => ({ ...one, score: list[0].score > 0 ? one.score / list[0].score : 0 });
      text.show(merged.map((one, i) => share(one, i < ours.length ? ours : theirs)), (i) => merged[i].side);
      walks = new Map();
      const lists = [ours, theirs].map((list, which) => column(list, twins[which], which, ours));
      columns.forEach((place, which) => place.replaceChildren(lists[which]?.element
        ?? nothing("No keyphrases", "This method finds none in this text.")));
      const shared = ours.filter((_, i) => twins[0][i] >= 0).map((one) => one.text);
      summary.replaceChildren(h("strong", {}, `${agreed} of ${Math.max(ours.length, theirs.length)}`), agreed === 1 ? " phrase is found by both." : " phrases are found by both.");
      exporting.replaceChildren(exportMenu({ name: document.name, formats: formats(both, twins, shared) }));
      announce(`${plural(agreed, "phrase")} found by both methods`);
    }

    function column(list, twins, which, ours) {
      if (!list.length) return null;
      const indexOf = (i) => (which === 0 ? i : twins[i] >= 0 ? twins[i] : ours.length + list.slice(0, i).filter((_, j) => twins[j] < 0).length);
      const made = phraseList({
        keyphrases: list, expands: false, label: `Keyphrases by ${chosen.methods[which]}`,
        onWalk: (i, step) => walk(indexOf(i), step),
        note: (i) => (twins[i] >= 0 ? h("span", { class: "badge agree" }, `both · no. ${twins[i] + 1} there`) : null),
      });
      list.forEach((_, i) => walks.set(`${which}:${indexOf(i)}`, () => made.choose(i, 0)));
      made.element.querySelectorAll("li").forEach((item, i) => item.classList.toggle("agreed", twins[i] >= 0));
      made.none = () => made.choose(-1, 0);
      walks.set(`none:${which}`, made.none);
      return made;
    }

    let at = { phrase: -1, place: 0 };
    function walk(i, step) {
      const count = merged[i].spans.length;
      at = { phrase: i, place: at.phrase === i && count ? (at.place + step + count) % count : 0 };
      text.choose(i, at.place);
      light(i);
      announce(count ? `${merged[i].text}, place ${at.place + 1} of ${count}` : `${merged[i].text} does not stand in the text`);
    }
    function pickFromText(i, place) {
      at = { phrase: i, place };
      text.choose(i, place, { scroll: false });
      light(i);
    }
    function light(i) {
      for (const which of [0, 1]) (walks.get(`${which}:${i}`) ?? walks.get(`none:${which}`))?.();
    }

    result.append(...[0, 1].map((which) => h("div", { class: "compare-column" }, side(which).element, columns[which])));
    root.replaceChildren(
      h("h1", { class: "sr-only" }, `Two methods on ${document.name}`),
      textHeader({ document, onNew: again }),
      h("div", { class: "card compare" },
        h("div", { class: "compare-bar" }, many.element, summary, exporting),
        state, result),
      h("div", { class: "card desk-text" },
        h("p", { class: "legend" }, h("mark", { class: "both" }, "both"), h("mark", { class: "first" }, "first only"), h("mark", { class: "second" }, "second only")),
        text.element));
    find();
  }

  function again() {
    openDocument.put(null, "");
    writeAddress("compare", {}, { push: true });
    welcome();
    root.querySelector("textarea").focus();
  }

  return { shown };
}

function formats(both, twins, shared) {
  const rows = both.flatMap(({ method, keyphrases }, which) => keyphrases.map((one, i) =>
    [method, i + 1, one.text, one.score, twins[which][i] >= 0]));
  return [
    { label: "CSV", extension: "csv", render: () => csv([["method", "rank", "text", "score", "agreed"], ...rows]) },
    { label: "JSON", extension: "json", render: () => json(both) },
    ...phraseFormats(shared).map((one) => ({ ...one, label: `${one.label} of both` })),
  ];
}
