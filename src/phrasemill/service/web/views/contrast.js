/** Two sets of documents: what distinguishes each from the other. */

import { writeAddress } from "../parts/address.js";
import { amount } from "../parts/amount.js";
import { call } from "../parts/api.js";
import { collection } from "../parts/collection.js";
import { commands } from "../parts/copy_as.js";
import { announce, h, plural, printed } from "../parts/elements.js";
import { EXAMPLE_OTHER_SET, EXAMPLE_SET } from "../parts/examples.js";
import { csv, exportMenu, json, phraseFormats, shareMenu } from "../parts/exports.js";
import { entryOf, keep } from "../parts/kept.js";
import { quotesOf } from "../parts/quotes.js";
import { rankedList, shareBar } from "../parts/ranked_list.js";
import { during, nothing } from "../parts/status.js";
import { tourStep } from "../parts/tour.js";
import { payload } from "../parts/upload.js";

const NAMES = ["Set A", "Set B"];
const EXAMPLES = [EXAMPLE_SET, EXAMPLE_OTHER_SET];
const TOP = 8;

export function view(root) {
  let top = TOP;
  let filling = false;
  let key = "";
  const state = h("div", { class: "state" });
  const result = h("div", { class: "contrast-result" });
  const tour = h("div");
  const sets = NAMES.map((name) => collection({ name, label: `Texts to add to ${name}`, rows: 4, onChange: () => { if (!filling) find(); } }));
  const actions = h("div", { class: "bar-actions" });
  const bar = h("div", { class: "controls", hidden: true });
  const example = h("button", { class: "button", type: "button", onclick: () => fill(EXAMPLES) }, "Try an example");

  root.replaceChildren(
    h("div", { class: "hero" },
      h("h1", {}, "What sets them apart?"),
      h("p", { class: "lead" }, "Two sets of documents: last year and this year, yours and theirs. You get what one says and the other does not."),
      example),
    tour, h("div", { class: "contrast-sets" }, sets.map((one) => one.element)), bar, state, result);
  drawBar();

  function drawBar() {
    const many = amount({ value: top, most: 30, onChange: (value) => { top = value; find(); } });
    bar.replaceChildren(h("div", { class: "control-bar", role: "group", "aria-label": "What to find" }, many.element, actions));
  }

  function fill(contents) {
    filling = true;
    sets[0].put(contents[0]);
    filling = false;
    sets[1].put(contents[1]);
  }

  /** Show what the address names. */
  function shown({ query = {} } = {}) {
    const wanted = query.doc ?? "";
    if (wanted === key) return;
    top = Number(query.top) || TOP;
    drawBar();
    const contents = wanted === "example" ? EXAMPLES : entryOf(wanted)?.content;
    fill(contents ?? [[], []]);
    if (wanted && !contents) result.replaceChildren(nothing("These documents are not in this browser", "They were opened in another browser, or removed from the history. Drop them again."));
  }

  function remember(documents) {
    const isExample = documents.every((some, i) => some.length === EXAMPLES[i].length && some.every((one, j) => one.text === EXAMPLES[i][j].text));
    key = isExample ? "example" : keep("contrast", documents.map((some) => some[0].name).join(" and "), documents);
    writeAddress("contrast", { query: { doc: key, top } });
    tour.replaceChildren(...[tourStep("contrast", isExample)].filter(Boolean));
  }

  async function find() {
    const documents = sets.map((one) => one.documents);
    const ready = documents.every((one) => one.length);
    bar.hidden = !ready;
    root.classList.toggle("filled", documents.some((one) => one.length));
    if (!ready) {
      const none = documents.every((one) => !one.length);
      if (none) {
        key = "";
        tour.replaceChildren();
        writeAddress("contrast", {});
      }
      result.replaceChildren(none ? "" : nothing("One set is empty", "Add documents to both."));
      return;
    }
    remember(documents);
    const request = (ours, theirs) => ({ documents: ours.map(payload), against: theirs.map(payload), top });
    const requests = [request(documents[0], documents[1]), request(documents[1], documents[0])];
    const answers = await during(state, "Comparing the sets", (signal) =>
      Promise.all(requests.map((json) => call("v1/sets", { json, signal }))), find, { result });
    if (answers) show(answers, documents, requests[0]);
  }

  function show(answers, documents, request) {
    actions.replaceChildren(exportMenu({ name: "contrast", formats: contrastFormats(answers) }), shareMenu({ commands: commands({ path: "v1/sets", request }) }));
    result.replaceChildren(
      h("h2", {}, "What marks each set out"),
      h("p", { class: "hint" }, "Click a phrase to read where it stands. Where documents are few, a difference may be chance and is marked “not certain”."),
      h("div", { class: "contrast-sides" }, answers.map((answer, which) => side(answer, which, documents[which]))));
    announce(`${plural(answers[0].keyphrases.length + answers[1].keyphrases.length, "phrase")} compared`);
    for (const one of sets) one.fold();
  }

  /** Files dropped outside of the two boxes go to the set that is empty. */
  function collect(files) {
    const empty = sets.find((one) => !one.documents.length);
    if (empty) empty.read(files);
    else state.replaceChildren(h("p", { class: "notice", role: "alert" }, "Drop the files on Set A or on Set B."));
  }

  return { shown, collect };
}

function side({ keyphrases, notes }, which, documents) {
  const [ours, theirs] = which ? ["B", "A"] : ["A", "B"];
  const aside = (one) => h("span", { class: "ranked-aside" },
    shareBar(one.documents, one.total, { name: ours }), shareBar(one.other_documents, one.other_total, { name: theirs, kind: "theirs" }),
    h("span", { class: "contrast-odds" }, strength(one)));
  return h("section", { class: "card ranked-card", "aria-label": NAMES[which] },
    h("h3", { class: "contrast-name" }, `Marks out ${NAMES[which]}`),
    ...notes.map((note) => h("p", { class: "hint" }, note)),
    keyphrases.length ? rankedList({ keyphrases, label: `Phrases of ${NAMES[which]}`, aside, quotes: (one) => quotesOf(one, documents) })
      : nothing("Nothing", "No phrase is more common here."));
}

/** How much more common, and how sure that is, in words. */
function strength({ effect, q, other_documents: elsewhere }) {
  const times = 2 ** effect;
  const much = elsewhere ? `${printed(times, times >= 10 ? 0 : 1)}× as common` : "only here";
  const sure = q < 0.05 ? "hardly chance" : "not certain";
  return h("span", { title: `q = ${q.toPrecision(2)}: the share of false finds to expect among phrases this clear` }, `${much} · ${sure}`);
}

function contrastFormats(answers) {
  const header = ["set", "rank", "text", "documents", "total", "other_documents", "other_total", "effect", "p", "q"];
  const rows = answers.flatMap((answer, which) => answer.keyphrases.map((one, i) =>
    [NAMES[which], i + 1, one.text, one.documents, one.total, one.other_documents, one.other_total, one.effect, one.p, one.q]));
  return [
    { label: "CSV", extension: "csv", render: () => csv([header, ...rows]) },
    { label: "JSON", extension: "json", render: () => json({ a: answers[0], b: answers[1] }) },
    ...answers.flatMap((answer, which) => phraseFormats(answer.keyphrases.map((one) => one.text))
      .filter((one) => one.label === "BibTeX").map((one) => ({ ...one, label: `BibTeX of ${NAMES[which]}` }))),
  ];
}
