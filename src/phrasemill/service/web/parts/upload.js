/** Files and pasted texts as documents: `{ id, title, text, content, language }`. */

import { call, Problem } from "./api.js";
import { contentOf } from "./spans.js";

/** Read files by the service, one after the other, so that one that cannot be read does not stop the others.
    Gives `{ documents, failures }`; throws only where nothing could be read. */
export async function readFiles(files, { signal, tell = () => {} } = {}) {
  const documents = [];
  const failures = [];
  for (const [i, file] of files.entries()) {
    tell(files.length > 1 ? `Reading ${file.name} (${i + 1} of ${files.length})` : `Reading ${file.name}`);
    const form = new FormData();
    form.append("files", file, file.name);
    form.append("extract", "false");
    try {
      const answer = await call("v1/files", { form, signal });
      for (const one of answer.documents) {
        if (one.problem) failures.push(`${file.name}: ${one.problem.detail || one.problem.title}`);
        else documents.push(documentOf(one, file.name));
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 401 || files.length === 1) throw error;
      failures.push(`${file.name}: ${error.message}`);
    }
  }
  if (!documents.length) throw new Problem({ title: "None of the files could be read", detail: failures.join(" ") });
  return { documents, failures };
}

function documentOf({ id, title = "", text, language }, name) {
  return withContent({ id: id || name, name: title || id || name, title: title ?? "", text, language });
}

export function withContent(document) {
  return { ...document, content: contentOf(document) };
}

/** Return pasted texts as documents; with `several`, lines of dashes separate them. */
export function pasted(text, { several = false } = {}) {
  const texts = several ? text.split(/^\s*-{3,}\s*$/m) : [text];
  return texts.filter((one) => one.trim()).map((one) => {
    const trimmed = one.trim();
    const name = opening(trimmed);
    return withContent({ id: name, name, title: "", text: trimmed });
  });
}

function opening(text) {
  const line = text.split("\n", 1)[0].trim();
  if (line.length <= 60) return line;
  const cut = line.slice(0, 60);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 30))}…`;
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
