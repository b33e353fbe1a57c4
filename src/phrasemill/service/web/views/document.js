/** One document: its keyphrases beside its text. */

import { addressOf, unpacked, writeAddress } from "../parts/address.js";
import { settingsFrom, settingsQuery } from "../parts/control_bar.js";
import { documentDesk } from "../parts/document_desk.js";
import { h } from "../parts/elements.js";
import { EXAMPLE } from "../parts/examples.js";
import { amend, entryOf, keep } from "../parts/kept.js";
import { openDocument } from "../parts/open_document.js";
import { closeSheet } from "../parts/sheet.js";
import { nothing } from "../parts/status.js";
import { textHeader } from "../parts/text_header.js";
import { textInput } from "../parts/text_input.js";
import { tourStep } from "../parts/tour.js";
import { withContent } from "../parts/upload.js";

const DEFAULTS = { method: "learned", top: 10 };

export function view(root) {
  let seen = null; // the key of the document on the desk
  let draft = "";

  /** Show what the address names. */
  async function shown({ query = {} } = {}) {
    if (query.text) {
      const document = await unpacked(query.text).then((text) => withContent(JSON.parse(text))).catch(() => null);
      if (!document) return missing("This link is damaged", "Part of its text is missing. Ask for it again, or paste the text.");
      return take(document, query);
    }
    const key = query.doc ?? "";
    if (key === seen && (key || root.childElementCount)) return undefined;
    if (!key) return welcome();
    const document = key === "example" ? EXAMPLE : entryOf(key)?.content;
    if (!document) return missing("This text is not in this browser", "It was opened in another browser, or removed from the history. Paste it, or drop the file again.");
    return desk(document, key, query);
  }

  /** Open a document that was not there before. */
  function take(document, query = {}) {
    const key = document === EXAMPLE ? "example" : keep("document", document.name, document);
    writeAddress("document", { query: { doc: key, ...settingsQuery(settingsFrom(query, DEFAULTS)), phrase: query.phrase } }, { push: !query.text });
    desk(document, key, query);
    scrollTo(0, 0);
  }

  function missing(title, words) {
    welcome();
    root.prepend(nothing(title, words));
  }

  function welcome() {
    seen = "";
    closeSheet();
    const box = textInput({
      label: "Text to read", submit: "Find keyphrases", draft, onDraft: (text) => { draft = text; },
      onDocuments: ([document]) => { draft = ""; take(document); }, onExample: () => take(EXAMPLE),
    });
    root.replaceChildren(
      h("div", { class: "hero" },
        h("h1", {}, "What is it about?"),
        h("p", { class: "lead" }, "Paste a text, or drop files or a whole folder anywhere on this page. You get the keyphrases, why each was chosen, and every place where it stands.")),
      box.element);
  }

  function desk(document, key, query) {
    seen = key;
    openDocument.put(document, key);
    const chosen = settingsFrom(query, DEFAULTS);
    const state = (phrase) => ({ query: { doc: key, ...settingsQuery(chosen), phrase } });
    const made = documentDesk({
      document, chosen, phrase: query.phrase ?? "", decided: entryOf(key)?.decided, files: document.file ? [document.file] : [],
      onChange: ({ phrase }) => { writeAddress("document", state(phrase)); amend(key, { query: settingsQuery(chosen) }); },
      onDecide: (decided) => amend(key, { decided }),
      link: { content: { id: document.id, name: document.name, title: document.title, text: document.text }, address: (text) => addressOf("document", { query: { text, ...settingsQuery(chosen) } }) },
    });
    root.replaceChildren(
      h("h1", { class: "sr-only" }, `Keyphrases of ${document.name}`), tourStep("document", key === "example") ?? "",
      textHeader({ document, onNew: again }), ...made.elements);
  }

  function again() {
    writeAddress("document", {}, { push: true });
    openDocument.put(null, "");
    welcome();
    root.querySelector("textarea").focus();
  }

  return { shown, take, files: null };
}
