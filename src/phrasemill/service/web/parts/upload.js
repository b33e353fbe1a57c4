/** Files and pasted texts as documents: `{ id, name, title, text, content, language }`. */

import { call, Problem } from "./api.js";
import { contentOf } from "./spans.js";

/** Read files by the service, one after the other, so that one that cannot be read does not stop the others. `column` is
    the one with the text, where tables have no usual name for it; `failures` are those of files that were read before.
    Gives `{ documents, failures: [{ name, reason, choices, file }] }`; throws only where nothing could be read. */
export async function readFiles(files, { signal, tell = () => {}, column = "", failures: before = [] } = {}) {
  const documents = [];
  const failures = [...before];
  let mayPass = false;
  const failed = (file, problem) => failures.push({ name: nameOf(file), reason: withoutName(problem.message, nameOf(file)), choices: problem.choices, file });
  for (const [i, file] of files.entries()) {
    const name = nameOf(file);
    tell(files.length > 1 ? `Reading ${name} (${i + 1} of ${files.length})` : `Reading ${name}`);
    const form = new FormData();
    form.append("files", file, name);
    form.append("extract", "false");
    if (column) form.append("columns", `text=${column}`);
    try {
      const answer = await call("v1/files", { form, signal });
      for (const one of answer.documents) {
        if (one.problem) failed(file, new Problem(one.problem));
        else documents.push(documentOf(one, name));
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 401) throw error;
      mayPass ||= error.mayPass;
      failed(file, error);
    }
  }
  if (!documents.length) throw noneRead(failures, mayPass);
  return { documents, failures };
}

function noneRead(failures, mayPass) {
  const title = failures.length === 1 ? "This file could not be read" : `None of the ${failures.length} files could be read`;
  return Object.assign(new Problem({ title, detail: "", status: mayPass ? 503 : 422 }), { failures });
}

/** A reason that begins with the name of the file, without it: the list shows it already. */
export function withoutName(reason, name) {
  return reason.startsWith(`${name}: `) ? reason.slice(name.length + 2) : reason;
}

/** The name of a file, with its folders if it was dropped or chosen inside one. */
export function nameOf(file) {
  return file.path || file.webkitRelativePath || file.name;
}

export function documentOf({ id, title = "", text, language, file }, name) {
  return withContent({ id: id || name, name: title || id || name, title: title ?? "", text, language, file: file ?? name });
}

export function withContent(document) {
  return { ...document, content: contentOf(document) };
}

/** Return pasted texts; with `several`, lines of dashes separate them. */
export function pasted(text, { several = false } = {}) {
  return (several ? text.split(/^\s*-{3,}\s*$/m) : [text]).map((one) => one.trim()).filter(Boolean);
}

// What only Markdown has: front matter, headings, fenced code, links, bold words.
const MARKDOWN = [/^---\n[^]*?\n(---|\.\.\.)[ \t]*(\n|$)/, /^#{1,6} +\S/m, /^(```|~~~)/m, /\[[^\]\n]+\]\([^)\s]+\)/, /\*\*[^\s*][^*\n]*\*\*/];

/** Return pasted texts as documents. Markdown is read by the service, as a file with the same content would be. */
export async function readTexts(texts, options) {
  const documents = [];
  for (const text of texts) {
    const found = MARKDOWN.some((one) => one.test(text)) ? (await readFiles([new File([text], "pasted.md")], options)).documents[0] : { title: "", text };
    const name = found.title || opening(found.text.trim());
    documents.push(withContent({ ...found, id: name, name, file: undefined }));
  }
  return documents;
}

function opening(text) {
  const line = text.split("\n", 1)[0].trim();
  if (line.length <= 60) return line;
  const cut = line.slice(0, 60);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 30)).replace(/[\s.,;:!?]+$/, "")}…`;
}

/** Return a document as a request contains it. */
export function payload({ id, title, text, language }) {
  return { id, text, ...(title ? { title } : {}), ...(language ? { language } : {}) };
}

/** Return documents with unique ids. */
export function distinct(documents) {
  const taken = new Set();
  return documents.map((document) => {
    let id = document.id;
    for (let number = 2; taken.has(id); number += 1) id = `${document.id} (${number})`;
    taken.add(id);
    return { ...document, id };
  });
}
