/** A box for texts: paste, drop or choose files, or use the example. */

import { h, icon, uid } from "./elements.js";
import { droppable, fileButton } from "./file_drop.js";
import { during, trouble } from "./status.js";
import { pasted, readFiles } from "./upload.js";

export const ACCEPT = ".pdf,.docx,.html,.htm,.txt,.md,.xml,.jsonl,.csv";
const SPARK = "M10 3l1.7 5.3L17 10l-5.3 1.7L10 17l-1.7-5.3L3 10l5.3-1.7z";

/** A box for texts. `onDocuments` is called with new documents; with `several`, lines of dashes separate pasted texts. */
export function textInput({ label, submit, onDocuments, onExample, several = false, rows = 9, tail = null }) {
  const id = uid("text");
  const state = h("div", { class: "intake-state" });
  const field = h("textarea", {
    id, rows, class: "intake-field", spellcheck: "false",
    placeholder: several ? "Paste texts here, with a line of --- between them, or drop files." : "Paste text here, or drop a PDF, Word, HTML or text file.",
    onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) take(); },
  });

  function take() {
    const documents = pasted(field.value, { several });
    if (!documents.length) {
      state.replaceChildren(trouble({ title: "There is no text yet", detail: "Paste some, drop a file, or try the example." }));
      field.focus();
      return;
    }
    state.replaceChildren();
    if (several) field.value = "";
    onDocuments(documents);
  }

  async function read(files) {
    const found = await during(state, "Reading", (signal, tell) => readFiles(files, { signal, tell }), () => read(files));
    if (!found) return;
    if (found.failures.length) state.replaceChildren(trouble({ title: "Some files could not be read", detail: found.failures.join(" ") }));
    onDocuments(found.documents);
  }

  const box = h("div", { class: "card intake" },
    h("label", { class: "sr-only", for: id }, label),
    field,
    state,
    h("div", { class: "intake-foot" },
      fileButton("Choose files", read, { accept: ACCEPT, kind: "quiet" }),
      onExample ? h("button", { class: "button quiet", type: "button", onclick: onExample }, icon(SPARK), "Try an example") : null,
      tail,
      h("button", { class: "button primary push", type: "button", onclick: take }, submit)),
    h("div", { class: "drop-veil", "aria-hidden": "true" }, "Drop to read"));
  droppable(box, read);
  return { element: box, field, text: (value) => { field.value = value; } };
}
