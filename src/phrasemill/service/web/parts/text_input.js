/** A box for texts: paste, drop or choose files, or use the example. */

import { h, icon, uid } from "./elements.js";
import { droppable, fileButton } from "./file_drop.js";
import { receive } from "./received_files.js";
import { during, failureList, trouble } from "./status.js";
import { pasted, readFiles, readTexts } from "./upload.js";

export const ACCEPT = ".pdf,.docx,.html,.htm,.txt,.md,.xml,.jsonl,.csv,.zip,.json,.tsv,.parquet,.odt,.epub,.rtf";
const SPARK = "M10 3l1.7 5.3L17 10l-5.3 1.7L10 17l-1.7-5.3L3 10l5.3-1.7z";

/** A box for texts. `onDocuments` is called with new documents. With `several`, lines of dashes separate pasted texts and
    files are read here; without, files go where the page opens them. `draft` is text to begin with; `onDraft` gets it as
    it is typed. */
export function textInput({ label, submit, onDocuments, onExample, several = false, rows = 9, draft = "", onDraft = () => {} }) {
  const id = uid("text");
  const state = h("div", { class: "intake-state" });
  const field = h("textarea", {
    id, rows, class: "intake-field", spellcheck: "false", value: draft, oninput: () => onDraft(field.value),
    placeholder: several ? "Paste texts here, with a line of --- between them, or drop files." : "Paste a text here.",
    onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) take(); },
  });

  async function take() {
    const texts = pasted(field.value, { several });
    if (!texts.length) {
      state.replaceChildren(trouble({ title: "There is no text yet", detail: "Paste some, drop a file, or try the example." }));
      field.focus();
      return;
    }
    const documents = await during(state, "Reading", (signal) => readTexts(texts, { signal }), take);
    if (!documents) return;
    if (several) field.value = "";
    onDocuments(documents);
  }

  /** Read files; `column` and `failures` are those of `readFiles`. */
  async function read(files, { column = "", failures = [] } = {}) {
    const choose = (all) => (name, failure) => read([failure.file], { column: name, failures: all.filter((one) => one !== failure) });
    const found = await during(state, "Reading", (signal, tell) => readFiles(files, { signal, tell, column, failures }), () => read(files, { column, failures }), { choose });
    if (!found) return;
    if (found.failures.length) {
      const title = found.failures.length === 1 ? "One file could not be read" : `${found.failures.length} files could not be read`;
      state.replaceChildren(h("div", { class: "trouble", role: "alert" }, h("p", { class: "trouble-title" }, title), failureList(found.failures, choose(found.failures))));
    }
    onDocuments(found.documents);
  }

  const open = several ? read : (files) => receive(files, state);
  const box = h("div", { class: "card intake" },
    h("label", { class: "sr-only", for: id }, label),
    field,
    state,
    h("div", { class: "intake-foot" },
      fileButton("Choose files", open, { accept: ACCEPT, kind: "quiet" }),
      fileButton("Choose a folder", open, { kind: "quiet wide-only", folder: true }),
      onExample ? h("button", { class: "button quiet", type: "button", onclick: onExample }, icon(SPARK), "Try an example") : null,
      h("button", { class: "button primary push", type: "button", onclick: take }, submit)),
    h("div", { class: "drop-veil", "aria-hidden": "true" }, "Drop to read"));
  if (several) droppable(box, read);
  return { element: box, field, read };
}
