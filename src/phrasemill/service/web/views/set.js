/** A set of documents: their common keyphrases, and which document has which. */

import { amount } from "../parts/amount.js";
import { stream } from "../parts/api.js";
import { collection } from "../parts/collection.js";
import { announce, h, plural } from "../parts/elements.js";
import { EXAMPLE_SET } from "../parts/examples.js";
import { csv, exportMenu, phraseFormats } from "../parts/exports.js";
import { limits } from "../parts/limits.js";
import { matrix } from "../parts/matrix.js";
import { methodPicker } from "../parts/method_picker.js";
import { quotes, quotesPanel } from "../parts/quotes.js";
import { during, nothing } from "../parts/status.js";
import { payload } from "../parts/upload.js";

export function view(root) {
  const chosen = { method: "consensus", top: 15 };
  const state = h("div", { class: "state" });
  const result = h("div", { class: "set-result" });
  const texts = collection({
    name: "Your documents", label: "Texts to add to the set", onExample: () => texts.put(EXAMPLE_SET), onChange: find,
  });
  const picker = methodPicker({ among: "sets", value: chosen.method, onChange: (method) => { chosen.method = method; find(); } });
  const many = amount({ value: chosen.top, onChange: (top) => { chosen.top = top; find(); } });
  const bounds = limits({ of: ["longest", "shortest", "stopwords"], onChange: (given) => { chosen.limits = given; find(); } });
  const controls = h("div", { class: "card controls", hidden: true }, picker.element, h("div", { class: "field" }, many.element, bounds.element));

  root.replaceChildren(
    h("div", { class: "hero" },
      h("h1", {}, "What do they have in common?"),
      h("p", { class: "lead" }, "Drop several files. You get the phrases of the whole set, which document says which, and the quotes.")),
    texts.element, controls, state, result);

  async function find() {
    const documents = texts.documents;
    controls.hidden = documents.length < 2;
    root.classList.toggle("filled", documents.length > 0);
    if (documents.length < 2) {
      result.replaceChildren(documents.length ? nothing("One document so far", "A set has at least two; add another.") : "");
      return;
    }
    const answer = await during(state, `Reading ${plural(documents.length, "document")} together`, (signal, tell) =>
      stream("v1/sets", { json: { documents: documents.map(payload), method: chosen.method, top: chosen.top, ...chosen.limits }, signal, onProgress: (done, total) => tell(`Read ${done} of ${plural(total, "document")}`) }), find);
    if (answer) show(answer, documents);
  }

  function show(answer, documents) {
    const { keyphrases } = answer;
    if (!keyphrases.length) {
      result.replaceChildren(nothing("No phrases in common", "The documents may be too short, or about different things."));
      return;
    }
    const quoted = quotesPanel("Choose a cell to read what that document says, or a phrase to read all.");
    const onCell = (i, j) => quoted.replaceChildren(...quotesOf(keyphrases[i], documents, j));
    const table = matrix({ keyphrases, documents, onCell });
    result.replaceChildren(
      h("div", { class: "panel-head" }, h("h2", {}, `Phrases of ${plural(documents.length, "document")}`),
        exportMenu({ name: "set", formats: setFormats(answer, documents, table.counts) })),
      h("div", { class: "set-columns" },
        h("div", {}, table.element,
          h("ol", { class: "matrix-key", "aria-label": "Documents by number" }, documents.map((one) => h("li", {}, one.name)))),
        quoted));
    announce(`${plural(keyphrases.length, "phrase")} of the set`);
  }

  return {};
}

/** Quotes of a phrase from document `j`, or from all where `j` is -1. */
function quotesOf(keyphrase, documents, j) {
  const mentions = keyphrase.mentions.filter((one) => j < 0 || one.document === documents[j].id);
  return [h("h2", { class: "quotes-title" }, keyphrase.text),
    ...mentions.map((one) => quotes(documents.find((other) => other.id === one.document), one.spans))];
}

function setFormats(answer, documents, counts) {
  const rows = answer.keyphrases.map((one, i) => [i + 1, one.text, one.score, one.documents, one.total, ...counts[i]]);
  return [
    { label: "CSV", extension: "csv", render: () => csv([["rank", "text", "score", "documents", "total", ...documents.map((one) => one.name)], ...rows]) },
    { label: "JSON", extension: "json", render: () => `${JSON.stringify(answer, null, 2)}\n` },
    ...phraseFormats(answer.keyphrases.map((one) => one.text)),
  ];
}
