/** One document: its keyphrases beside its text. */

import { amend, keep, keptUnder, useAddress, write } from "../parts/address.js";
import { settingsFrom, settingsQuery } from "../parts/controls.js";
import { Desk, TextHeader } from "../parts/desk.js";
import { readFiles } from "../parts/documents.js";
import { html, useEffect, useRef, useState } from "../parts/elements.js";
import { EXAMPLE } from "../parts/examples.js";
import { TextInput } from "../parts/intake.js";
import { readWithPages } from "../parts/jobs.js";
import { Nothing, Status, useTask } from "../parts/status.js";

const DEFAULTS = { method: "learned", top: 10 };

/** `given` is a file that was dropped or chosen, `open(files)` opens others where they belong. */
export function DocumentView({ given, open }) {
  const { query } = useAddress("document");
  const [decidedNow, setDecided] = useState({}); // what was decided about the phrases of the example
  const root = useRef();
  const task = useTask();
  const key = query.doc ?? "";
  const isExample = key === "example";
  const entry = keptUnder(key);
  const document = isExample ? EXAMPLE : entry?.content;
  useEffect(() => {
    if (given) read(given.files);
  }, [given]);

  /** Read a file, or several that turn out to be one; a file with several documents is a folder. */
  async function read(files) {
    const work = /\.pdf$/i.test(files[0].name) ? readWithPages : readFiles; // a job draws the pages of a PDF
    const found = await task.run("Reading", (signal, tell) => work(files, { signal, tell }), () => read(files));
    if (found?.documents.length > 1) open(files, { asFolder: true });
    else if (found) take(keep(found.documents[0]));
  }

  function take(doc) {
    task.clear();
    write("document", { query: { doc } }, { push: true });
    scrollTo(0, 0);
  }

  function leave() {
    write("document", {}, { push: true });
    requestAnimationFrame(() => root.current.querySelector("textarea").focus());
  }

  const status = html`<${Status} task=${task} />`;
  const chosen = settingsFrom(query, DEFAULTS);
  const remember = (settings, phrase) => write("document", { query: { doc: key, ...settingsQuery(settings), phrase } });
  const desk = document && html`
    <h1 class="sr-only">Keyphrases of ${document.name}</h1>
    ${status}
    <${TextHeader} document=${document} words="New text" onBack=${leave} />
    <${Desk}
      key=${key} ...${{ document, chosen }} phrase=${query.phrase ?? ""}
      decided=${decidedNow[key] ?? entry?.decided}
      onChange=${(changes) => remember({ ...chosen, ...changes }, query.phrase)}
      onPhrase=${(phrase) => remember(chosen, phrase)}
      onDecide=${(decided) => {
        setDecided({ [key]: decided });
        if (entry) amend(key, { decided });
      }}
    />`;
  return html`<div ref=${root}>
    ${desk}
    ${key && !document && html`<${Nothing} title="This text is not in this tab">
      It was opened in another tab, or long ago. Paste it, or drop the file again.
    <//>`}
    <div hidden=${Boolean(document)}>
      <div class="hero">
        <h1>What is it about?</h1>
        <p class="lead">
          Paste a text, or drop files or a whole folder anywhere on this page. You get the keyphrases, why each was
          chosen, and every place where it stands.
        </p>
      </div>
      <${TextInput}
        label="Text to read" submit="Find keyphrases" hint="Paste a text here." task=${task}
        onDocuments=${([first]) => take(keep(first))} onFiles=${open} onExample=${() => take("example")}
      >${!document && status}<//>
    </div>
  </div>`;
}
