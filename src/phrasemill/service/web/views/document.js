/** One document: its keyphrases beside its text. */

import { amount } from "../parts/amount.js";
import { call } from "../parts/api.js";
import { openDocuments } from "../parts/open_documents.js";
import { announce, h, plural } from "../parts/elements.js";
import { EXAMPLE } from "../parts/examples.js";
import { documentFormats, exportMenu } from "../parts/exports.js";
import { textInput } from "../parts/text_input.js";
import { languageSelect } from "../parts/language_select.js";
import { limits } from "../parts/limits.js";
import { methodPicker } from "../parts/method_picker.js";
import { textHeader } from "../parts/text_header.js";
import { phraseList } from "../parts/phrase_list.js";
import { reader } from "../parts/reader.js";
import { during, nothing } from "../parts/status.js";
import { payload } from "../parts/upload.js";
import { navigation } from "../parts/navigation.js";
import { hoverCard, reasons } from "../parts/reasons.js";

/** Ask for the keyphrases of one document. */
export async function extract(document, { method, top, limits = {}, signal }) {
  const answer = await call("v1/extract", { json: { documents: [payload(document)], method, top, ...limits, explain: true }, signal });
  const { language, keyphrases } = answer.documents[0];
  return { id: document.id, language, method: answer.method, keyphrases };
}

export function view(root) {
  let seen = -1;
  const chosen = { method: "learned", top: 10 };

  function shown() {
    if (seen === openDocuments.version) return;
    seen = openDocuments.version;
    if (openDocuments.document) workspace();
    else welcome();
  }

  function take(documents) {
    openDocuments.put(documents);
    shown();
    root.querySelector("h1, h2, .reader")?.scrollIntoView({ block: "nearest" });
  }

  function welcome() {
    const box = textInput({
      label: "Text to read", submit: "Find keyphrases",
      onDocuments: take, onExample: () => take([EXAMPLE]),
    });
    root.replaceChildren(
      h("div", { class: "hero" },
        h("h1", {}, "What is it about?"),
        h("p", { class: "lead" }, "Drop a paper, a report or a page. You get its keyphrases, why each was chosen, and every place where it stands.")),
      box.element);
  }

  function workspace() {
    const document = openDocuments.document;
    chosen.limits = {};
    const state = h("div", { class: "state" });
    const result = h("div", { class: "result" });
    const head = h("div", { class: "panel-head" });
    const walk = navigation({ place: result });
    const text = reader(document, { onPick: walk.pick });
    let found = { keyphrases: [] };
    text.show([]);

    async function find() {
      const answer = await during(state, "Finding keyphrases", (signal) => extract(document, { ...chosen, signal }), find);
      if (!answer) return;
      found = answer;
      const language = languageSelect({ value: found.language, onChange: (code) => { document.language = code; find(); } });
      head.replaceChildren(h("h2", {}, "Keyphrases"), language, exportMenu({ name: document.name, formats: documentFormats(found) }));
      text.show(found.keyphrases);
      if (found.keyphrases.length) {
        const list = phraseList({ keyphrases: found.keyphrases, onWalk: walk.walk });
        result.replaceChildren(list.element, h("p", { class: "hint" }, "Arrow keys: ↑ ↓ between phrases, ← → through the places of one."));
        walk.bind(list, text, found.keyphrases);
      } else {
        result.replaceChildren(nothing("No keyphrases", "This method finds none in this text. Try another method, or a longer text."));
      }
      announce(`${plural(found.keyphrases.length, "keyphrase")} found`);
    }

    const picker = methodPicker({ value: chosen.method, onChange: (method) => { chosen.method = method; find(); } });
    const many = amount({ value: chosen.top, onChange: (top) => { chosen.top = top; find(); } });
    const bounds = limits({ onChange: (given) => { chosen.limits = given; find(); } });
    const desktop = h("div", { class: "desk" },
      h("section", { class: "desk-side card", "aria-label": "Keyphrases" }, head, state, result),
      h("div", { class: "desk-text card" }, text.element));
    root.replaceChildren(
      h("h1", { class: "sr-only" }, `Keyphrases of ${document.name}`), textHeader({ onNew: again, onTurn: shown }),
      h("div", { class: "card controls" }, picker.element, h("div", { class: "field" }, many.element, bounds.element)), desktop, walk.bar);
    hoverCard(desktop, "button.phrase, mark", (target) => whyCard(found.keyphrases[target.dataset.phrase], target, walk.phrase));
    find();
  }

  function again() {
    openDocuments.put([]);
    shown();
    root.querySelector("textarea").focus();
  }

  return { shown };
}

/** The content of the card beside a phrase; none for a row that is open, which shows it already. */
function whyCard(keyphrase, target, open) {
  if (!keyphrase || (target.matches("button") && Number(target.dataset.phrase) === open)) return null;
  return [h("p", { class: "hover-title" }, keyphrase.text), reasons(keyphrase)];
}
