/** Two sets of documents: what distinguishes each from the other. */

import { amount } from "../parts/amount.js";
import { call } from "../parts/api.js";
import { collection } from "../parts/collection.js";
import { announce, h, plural } from "../parts/elements.js";
import { EXAMPLE_OTHER_SET, EXAMPLE_SET } from "../parts/examples.js";
import { csv, exportMenu, phraseFormats } from "../parts/exports.js";
import { variants } from "../parts/matrix.js";
import { quotes, quotesPanel } from "../parts/quotes.js";
import { during, nothing } from "../parts/status.js";
import { payload } from "../parts/upload.js";

const NAMES = ["Set A", "Set B"];

export function view(root) {
  let top = 8;
  let filling = false;
  const state = h("div", { class: "state" });
  const result = h("div", { class: "contrast-result" });
  const sets = NAMES.map((name) => collection({ name, label: `Texts to add to ${name}`, rows: 4, onChange: () => { if (!filling) find(); } }));
  const many = amount({ value: top, most: 30, onChange: (value) => { top = value; find(); } });
  const controls = h("div", { class: "card controls one-control", hidden: true }, many.element);
  const example = h("button", {
    class: "button", type: "button", onclick: () => {
      filling = true;
      sets[0].put(EXAMPLE_SET);
      filling = false;
      sets[1].put(EXAMPLE_OTHER_SET);
    },
  }, "Try an example");

  root.replaceChildren(
    h("div", { class: "hero" },
      h("h1", {}, "What sets them apart?"),
      h("p", { class: "lead" }, "Two sets of documents: last year and this year, yours and theirs. You get what one says and the other does not."),
      example),
    h("div", { class: "contrast-sets" }, sets.map((one) => one.element)), controls, state, result);

  async function find() {
    const documents = sets.map((one) => one.documents);
    const ready = documents.every((one) => one.length);
    controls.hidden = !ready;
    root.classList.toggle("filled", documents.some((one) => one.length));
    if (!ready) {
      const none = documents.every((one) => !one.length);
      result.replaceChildren(none ? "" : nothing("One set is empty", "Add documents to both."));
      return;
    }
    const ask = (ours, theirs, signal) => call("v1/sets", {
      json: { documents: ours.map(payload), against: theirs.map(payload), top }, signal,
    });
    const answers = await during(state, "Comparing the sets", (signal) =>
      Promise.all([ask(documents[0], documents[1], signal), ask(documents[1], documents[0], signal)]), find);
    if (answers) show(answers, documents);
  }

  function show(answers, documents) {
    const quoted = quotesPanel("Choose a phrase to read where it stands.");
    const sides = answers.map((answer, which) => side(answer.keyphrases, which, (keyphrase, button) => {
      for (const one of result.querySelectorAll(".contrast-phrase")) one.setAttribute("aria-pressed", String(one === button));
      quoted.replaceChildren(h("h2", { class: "quotes-title" }, keyphrase.text),
        ...keyphrase.mentions.map((one) => quotes(documents[which].find((other) => other.id === one.document), one.spans)));
    }));
    result.replaceChildren(
      h("div", { class: "panel-head" }, h("h2", {}, "What marks each set out"), exportMenu({ name: "contrast", formats: contrastFormats(answers) })),
      h("p", { class: "hint" }, "q is the share of false finds to expect among phrases this clear. Below 0.05 a difference is hardly chance; few documents rarely get there."),
      h("div", { class: "contrast-sides" }, sides), quoted);
    announce(`${plural(answers[0].keyphrases.length + answers[1].keyphrases.length, "phrase")} compared`);
  }

  return {};
}

function side(keyphrases, which, onChoose) {
  const [ours, theirs] = which ? ["B", "A"] : ["A", "B"];
  const rows = keyphrases.map((one) => h("li", {}, h("button", { class: "contrast-phrase", type: "button", "aria-pressed": "false", onclick: (event) => onChoose(one, event.currentTarget) },
    h("span", { class: "contrast-text" }, one.text, variants(one)),
    h("span", { class: "contrast-bars" },
      share(ours, one.documents, one.total, "ours"),
      share(theirs, one.other_documents, one.other_total, "theirs")),
    h("span", { class: "contrast-odds" }, strength(one)))));
  return h("section", { class: "card", "aria-label": NAMES[which] },
    h("h3", { class: "contrast-name" }, `Marks out ${NAMES[which]}`),
    rows.length ? h("ol", { class: "contrast-list" }, rows) : nothing("Nothing", "No phrase is more common here."));
}

function share(name, count, total, kind) {
  return h("span", { class: `share ${kind}` },
    h("span", { class: "share-name" }, name),
    h("span", { class: "share-bar", style: { "--share": total ? count / total : 0 }, "aria-hidden": "true" }),
    h("span", { class: "share-count" }, `${count} of ${total}`));
}

/** How much more common, and how likely chance would do the same. */
function strength({ effect, q, other_documents: elsewhere }) {
  const times = 2 ** effect;
  const much = elsewhere ? `${times >= 10 ? Math.round(times) : times.toFixed(1)}× as common` : "only here";
  return `${much} · q = ${q < 0.001 ? "< 0.001" : q.toFixed(q < 0.1 ? 3 : 2)}`.replace("= <", "<");
}

function contrastFormats(answers) {
  const header = ["set", "rank", "text", "documents", "total", "other_documents", "other_total", "effect", "p", "q"];
  const rows = answers.flatMap((answer, which) => answer.keyphrases.map((one, i) =>
    [NAMES[which], i + 1, one.text, one.documents, one.total, one.other_documents, one.other_total, one.effect, one.p, one.q]));
  return [
    { label: "CSV", extension: "csv", render: () => csv([header, ...rows]) },
    { label: "JSON", extension: "json", render: () => `${JSON.stringify({ a: answers[0], b: answers[1] }, null, 2)}\n` },
    ...answers.flatMap((answer, which) => phraseFormats(answer.keyphrases.map((one) => one.text))
      .filter((one) => one.label === "BibTeX").map((one) => ({ ...one, label: `BibTeX of ${NAMES[which]}` }))),
  ];
}
