/** A set of documents: their common keyphrases, and which document has which. */

import { writeAddress } from "../parts/address.js";
import { stream } from "../parts/api.js";
import { collection } from "../parts/collection.js";
import { controlBar, requested, settingsFrom, settingsQuery } from "../parts/control_bar.js";
import { commands } from "../parts/copy_as.js";
import { announce, h, plural } from "../parts/elements.js";
import { EXAMPLE_SET } from "../parts/examples.js";
import { csv, exportMenu, json, phraseFormats, shareMenu } from "../parts/exports.js";
import { amend, entryOf, keep } from "../parts/kept.js";
import { matrix } from "../parts/matrix.js";
import { quotesOf, quotesPanel } from "../parts/quotes.js";
import { rankedList, shareBar } from "../parts/ranked_list.js";
import { isNarrow, showSheet } from "../parts/sheet.js";
import { during, nothing } from "../parts/status.js";
import { tourStep } from "../parts/tour.js";
import { payload } from "../parts/upload.js";

const DEFAULTS = { method: "consensus", top: 15 };
const LIMITS = ["longest", "shortest", "stopwords"];
const WIDEST = 12; // documents of a matrix; more make a ranked list

export function view(root) {
  let chosen = { ...DEFAULTS };
  let key = "";
  let bar = null;
  let phrase = "";
  const state = h("div", { class: "state" });
  const result = h("div", { class: "set-result" });
  const controls = h("div", { class: "controls", hidden: true });
  const tour = h("div");
  const texts = collection({
    name: "Your documents", label: "Texts to add to the set", onExample: () => { texts.put(EXAMPLE_SET); }, onChange: find,
  });

  root.replaceChildren(
    h("div", { class: "hero" },
      h("h1", {}, "What do they have in common?"),
      h("p", { class: "lead" }, "Drop several files or a folder. You get the phrases of the whole set, which document says which, and the quotes.")),
    tour, texts.element, controls, state, result);

  /** Show what the address names. */
  function shown({ query = {} } = {}) {
    const wanted = query.doc ?? "";
    if (wanted === key) return;
    phrase = query.phrase ?? "";
    chosen = settingsFrom(query, DEFAULTS);
    bar = null;
    const documents = wanted === "example" ? EXAMPLE_SET : entryOf(wanted)?.content ?? [];
    texts.put(documents);
    if (wanted && !documents.length) result.replaceChildren(nothing("These documents are not in this browser", "They were opened in another browser, or removed from the history. Drop them again."));
  }

  function remember(documents, { push = false } = {}) {
    if (!documents.length) key = "";
    else key = documents.length === EXAMPLE_SET.length && documents.every((one, i) => one.text === EXAMPLE_SET[i].text) ? "example" : keep("set", `${documents[0].name} and ${plural(documents.length - 1, "other")}`, documents);
    const query = settingsQuery(chosen);
    amend(key, { query });
    writeAddress("set", { query: documents.length ? { doc: key, ...query, phrase } : {} }, { push });
    tour.replaceChildren(...[tourStep("set", key === "example")].filter(Boolean));
  }

  function ensureBar() {
    if (bar) return;
    bar = controlBar({ chosen, among: "sets", of: LIMITS, withLanguage: false, withVocabulary: false, onChange: () => find(texts.documents) });
    controls.replaceChildren(bar.element);
  }

  async function find() {
    const documents = texts.documents;
    ensureBar();
    controls.hidden = documents.length < 2;
    root.classList.toggle("filled", documents.length > 0);
    remember(documents);
    if (documents.length < 2) {
      result.replaceChildren(documents.length ? nothing("One document so far", "A set has at least two; add another.") : "");
      return;
    }
    const request = { documents: documents.map(payload), ...requested(chosen) };
    const answer = await during(state, `Reading ${plural(documents.length, "document")} together`, (signal, tell) =>
      stream("v1/sets", { json: request, signal, onProgress: (done, total) => tell(`Read ${done} of ${plural(total, "document")}`) }), find, { result });
    if (answer) show(answer, documents, request);
  }

  function show(answer, documents, request) {
    const { keyphrases } = answer;
    if (!keyphrases.length) {
      result.replaceChildren(nothing("No phrases in common", "The documents may be too short, or about different things."));
      return;
    }
    const table = documents.length > WIDEST ? null : matrix({ keyphrases, documents, onCell: (i, j) => quote(keyphrases[i], documents, j) });
    const counts = table?.counts ?? countsOf(keyphrases, documents);
    const quoted = quotesPanel("Choose a cell to read what that document says, or a phrase to read all.");
    bar.actions.replaceChildren(exportMenu({ name: "set", formats: setFormats(answer, documents, counts) }), shareMenu({ commands: commands({ path: "v1/sets", request }) }));
    const head = h("h2", {}, `Phrases of ${plural(documents.length, "document")}`);
    result.replaceChildren(head, ...answer.notes.map((note) => h("p", { class: "hint" }, note)), table ? h("div", { class: "set-columns" },
      h("div", {}, table.element, h("ol", { class: "matrix-key", "aria-label": "Documents by number" }, documents.map((one) => h("li", {}, one.name)))), quoted)
      : h("div", { class: "card ranked-card" }, rankedList({
        keyphrases, label: "Phrases of the set", open: phrase, onOpen: (text) => { phrase = text; remember(documents); },
        aside: (one) => shareBar(one.documents, one.total), quotes: (one) => quotesOf(one, documents) })));
    announce(`${plural(keyphrases.length, "phrase")} of the set`);
    texts.fold();

    function quote(keyphrase, among, j) {
      const shown_ = quotesOf(keyphrase, among, { only: j < 0 ? null : among[j].id });
      phrase = keyphrase.text;
      remember(documents);
      if (isNarrow()) showSheet(keyphrase.text, shown_);
      else quoted.replaceChildren(h("h2", { class: "quotes-title" }, keyphrase.text), ...shown_);
    }
    const again = keyphrases.findIndex((one) => one.text === phrase);
    if (table && again >= 0 && !isNarrow()) quote(keyphrases[again], documents, -1);
  }

  return { shown, collect: (files) => texts.read(files) };
}

function countsOf(keyphrases, documents) {
  const column = new Map(documents.map((one, i) => [one.id, i]));
  return keyphrases.map((one) => {
    const row = documents.map(() => 0);
    for (const { document, spans } of one.mentions) row[column.get(document)] = spans.length;
    return row;
  });
}

function setFormats(answer, documents, counts) {
  const rows = answer.keyphrases.map((one, i) => [i + 1, one.text, one.score, one.documents, one.total, ...counts[i]]);
  return [
    { label: "CSV", extension: "csv", render: () => csv([["rank", "text", "score", "documents", "total", ...documents.map((one) => one.name)], ...rows]) },
    { label: "JSON", extension: "json", render: () => json(answer) },
    ...phraseFormats(answer.keyphrases.map((one) => one.text)),
  ];
}
