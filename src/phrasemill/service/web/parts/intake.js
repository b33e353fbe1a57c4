/** How texts come in: files and folders that are dropped or chosen, a box to paste into, a set that grows. */

import { html, Icon, IconButton, plural, useEffect, useRef, useState, useUid } from "./elements.js";
import { distinct, readFiles, readPasted, unread } from "./documents.js";
import { Status, useTask } from "./status.js";

export const ACCEPT = ".pdf,.docx,.html,.htm,.txt,.md,.xml,.jsonl,.csv,.zip,.json,.tsv,.parquet,.odt,.epub,.rtf";

/** Let files be dropped on an element; while they hover over it, it has the class `over`. What is dropped here does not
    reach the elements around. Return the function that ends it. */
export function droppable(element, onFiles) {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files") && !event.defaultPrevented;
  const listeners = {
    dragenter(event) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth += 1;
      element.classList.add("over");
    },
    dragover(event) {
      if (hasFiles(event)) event.preventDefault();
    },
    dragleave() {
      depth = Math.max(0, depth - 1);
      element.classList.toggle("over", depth > 0);
    },
    async drop(event) {
      depth = 0;
      element.classList.remove("over");
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = await dropped(event.dataTransfer);
      if (files.length) onFiles(files);
    },
  };
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
  };
}

/** The files that were dropped, those in folders with their `path`. */
async function dropped(transfer) {
  // Entries must be taken before the first pause: the list is empty after it.
  const entries = [...transfer.items].map((one) => one.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((one) => one.isDirectory)) return [...transfer.files];
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found.sort((a, b) => a.path.localeCompare(b.path));
}

async function walk(entry, found) {
  if (entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); }).catch(() => null);
    if (file) found.push(Object.assign(file, { path: entry.fullPath.replace(/^\//, "") }));
    return;
  }
  const folder = entry.createReader();
  for (;;) { // browsers give a hundred entries at a time
    const some = await new Promise((resolve, reject) => { folder.readEntries(resolve, reject); }).catch(() => []);
    if (!some.length) return;
    for (const one of some) await walk(one, found);
  }
}

/** A box that files can be dropped on; what it shows meanwhile lies above it. */
export function DropBox({ onFiles, tag = "div", children, ...more }) {
  const element = useRef();
  const latest = useRef();
  latest.current = onFiles;
  useEffect(() => droppable(element.current, (files) => latest.current(files)), []);
  return html`<${tag} ref=${element} ...${more}>
    ${children}
    <div class="drop-veil" aria-hidden="true">Drop to read</div>
  <//>`;
}

/** A button that opens the system's dialog for files, or for a folder. */
export function FileButton({ words, onFiles, accept = ACCEPT, multiple = true, kind = "", folder = false }) {
  const id = useUid("file");

  function chosen({ currentTarget: input }) {
    const isHidden = (file) => (file.webkitRelativePath || "").split("/").some((part) => part.startsWith("."));
    const files = [...input.files].filter((one) => !isHidden(one));
    input.value = "";
    if (files.length) onFiles(files);
  }

  return html`<span class="file">
    <input
      type="file" id=${id} class="sr-only" multiple=${multiple} webkitdirectory=${folder}
      accept=${folder ? undefined : accept} onchange=${chosen}
    />
    <label class=${`button ${kind}`} for=${id}><${Icon} name=${folder ? "folder" : "clip"} />${words}</label>
  </span>`;
}

const NO_TEXT = {
  title: "There is no text yet",
  detail: "Paste some, drop a file, or try the example.",
  mayPass: false,
};

/** A box for texts: paste, drop or choose files, or use the example. Pasted texts become documents, several where lines
    of dashes may separate them; files go to `onFiles`. `task` does the reading, `children` say how it stands. */
export function TextInput({
  label, submit, hint, rows = 9, several = false, task, onDocuments, onFiles, onExample, children,
}) {
  const id = useUid("text");
  const field = useRef();
  const [text, setText] = useState("");

  async function read() {
    if (!text.trim()) {
      task.fail(NO_TEXT);
      field.current.focus();
      return;
    }
    const found = await task.run("Reading", (signal) => readPasted(text, { several, signal }), read);
    if (!found) return;
    setText("");
    onDocuments(found);
  }

  const byKey = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && read();
  return html`<${DropBox} class="card intake" onFiles=${onFiles}>
    <label class="sr-only" for=${id}>${label}</label>
    <textarea
      id=${id} rows=${rows} class="intake-field" spellcheck="false" placeholder=${hint} value=${text} ref=${field}
      oninput=${(event) => setText(event.currentTarget.value)} onkeydown=${byKey}
    />
    <div class="intake-state">${children}</div>
    <div class="intake-foot">
      <${FileButton} words="Choose files" onFiles=${onFiles} kind="quiet" />
      <${FileButton} words="Choose a folder" onFiles=${onFiles} kind="quiet wide-only" folder />
      ${onExample && html`<button class="button quiet" type="button" onclick=${onExample}>
        <${Icon} name="spark" />Try an example
      </button>`}
      <button class="button primary push" type="button" onclick=${read}>${submit}</button>
    </div>
  <//>`;
}

/** A set of documents that grows and shrinks: a box to add more, and a list of what is there. `given` are files that
    were dropped elsewhere for it; with `folded` only their number is shown, until the reader asks for more. */
export function Collection({ name, label, rows = 5, documents, given, folded, onChange, onExample }) {
  const [byHand, setByHand] = useState(false);
  const task = useTask();
  const isOpen = byHand || !folded || !documents.length || task.failed;
  const put = (all) => onChange(distinct(all, "id"));
  useEffect(() => {
    if (given) read(given.files);
  }, [given]);
  useEffect(() => {
    if (!documents.length) setByHand(false);
  }, [documents]);

  /** Read files; `column` and `failures` are those of `readFiles`. */
  async function read(files, { column = "", failures = [] } = {}) {
    const work = (signal, tell) => readFiles(files, { signal, tell, column, failures });
    const found = await task.run("Reading", work, () => read(files, { column, failures }));
    if (!found) return;
    if (found.failures.length) task.fail(unread(found.failures, { all: false }));
    put([...documents, ...found.documents]);
  }

  function readColumn(column, failure) {
    read([failure.file], { column, failures: task.status.error.failures.filter((one) => one !== failure) });
  }

  return html`<div class="collection">
    <div class="collection-head">
      <h2>${name}</h2>
      <span class="collection-count">${documents.length ? plural(documents.length, "document") : "empty"}</span>
      ${documents.length > 0 && html`<button
        class="button quiet small" type="button" aria-expanded=${String(isOpen)} onclick=${() => setByHand(!isOpen)}
      >Add or remove</button>`}
    </div>
    <div class="collection-inside" hidden=${!isOpen}>
      <${TextInput}
        ...${{ label, rows, task, onExample }} several
        submit="Add text" hint="Paste texts here, with a line of --- between them, or drop files."
        onDocuments=${(more) => put([...documents, ...more])} onFiles=${(files) => read(files)}
      >
        <${Status} task=${task} onChoose=${readColumn} />
      <//>
      <ul class="collection-list" aria-label=${`Documents in ${name}`}>
        ${documents.map((one) => html`<li key=${one.id}>
          <span class="collection-name" title=${one.name}>${one.name}</span>
          <${IconButton}
            label=${`Remove ${one.name}`} icon="cross" size=${14} small
            onclick=${() => put(documents.filter((other) => other !== one))}
          />
        </li>`)}
      </ul>
      ${documents.length > 1 && html`<button
        class="link" type="button" aria-label=${`Remove all from ${name}`} onclick=${() => put([])}
      >Remove all</button>`}
    </div>
  </div>`;
}
