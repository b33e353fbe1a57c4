/** Files and pasted texts as documents: `{ id, name, title, text, content, language }`. */

import { call, Problem } from "./api.js";
import { contentOf } from "./spans.js";

const NAME = 60; // characters of a text that name it

/** Read files by the service, one after the other, so that one that cannot be read does not stop the others. `column`
    is the one with the text, where tables have no usual name for it; `failures` are those of files read before.
    Gives `{ documents, failures: [{ name, reason, choices, file }] }`; throws only where nothing could be read. */
export async function readFiles(files, { signal, tell = () => {}, column = "", failures: before = [] } = {}) {
  const documents = [];
  const failures = [...before];
  let mayPass = false;
  for (const [i, file] of files.entries()) {
    const name = nameOf(file);
    const failed = ({ message, choices }) => failures.push({ name, reason: withoutName(message, name), choices, file });
    tell(files.length > 1 ? `Reading ${name} (${i + 1} of ${files.length})` : `Reading ${name}`);
    const form = new FormData();
    form.append("files", file, name);
    form.append("extract", "false");
    if (column) form.append("columns", `text=${column}`);
    try {
      for (const one of (await call("v1/files", { form, signal })).documents) {
        if (one.problem) failed(new Problem(one.problem));
        else documents.push(documentOf(one, name));
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 401) throw error;
      mayPass ||= error.mayPass;
      failed(error);
    }
  }
  if (!documents.length) throw unread(failures, { mayPass });
  return { documents, failures };
}

/** The problem that names the files that failed, with their reasons. */
export function unread(failures, { mayPass = false, all = true } = {}) {
  const count = failures.length;
  const some = count === 1 ? "One file could not be read" : `${count} files could not be read`;
  const none = count === 1 ? "This file could not be read" : `None of the ${count} files could be read`;
  const problem = new Problem({ title: all ? none : some, status: mayPass ? 503 : 422 });
  return Object.assign(problem, { failures });
}

/** A reason that begins with the name of the file, without it: the list shows it already. */
export function withoutName(reason, name) {
  return reason.startsWith(`${name}: `) ? reason.slice(name.length + 2) : reason;
}

/** The name of a file, with its folders if it was dropped or chosen inside one. */
export function nameOf(file) {
  return file.path || file.webkitRelativePath || file.name;
}

export function documentOf({ id, title, text, language, file }, name) {
  const given = { title: title ?? "", text, language, file: file ?? name };
  return withContent({ id: id || name, name: title || id || name, ...given });
}

export function withContent(document) {
  return { ...document, content: contentOf(document) };
}

// What only Markdown has: front matter, headings, fenced code, links, bold words.
const MARKDOWN = [
  /^---\n[^]*?\n(---|\.\.\.)[ \t]*(\n|$)/,
  /^#{1,6} +\S/m,
  /^(```|~~~)/m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /\*\*[^\s*][^*\n]*\*\*/,
];

/** Pasted texts as documents; with `several`, lines of dashes separate them. Markdown is read by the service, as a
    file with the same content would be. */
export async function readPasted(pasted, { several, signal }) {
  const texts = several ? pasted.split(/^\s*-{3,}\s*$/m) : [pasted];
  const documents = [];
  for (const text of texts.map((one) => one.trim()).filter(Boolean)) {
    const isMarkdown = MARKDOWN.some((one) => one.test(text));
    const read = isMarkdown ? (await readFiles([new File([text], "pasted.md")], { signal })).documents[0] : null;
    const found = read ?? { title: "", text };
    const name = found.title || opening(found.text.trim());
    documents.push(withContent({ ...found, id: name, name, file: undefined }));
  }
  return documents;
}

function opening(text) {
  const line = text.split("\n", 1)[0].trim();
  if (line.length <= NAME) return line;
  const cut = line.slice(0, NAME);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), NAME / 2)).replace(/[\s.,;:!?]+$/, "")}…`;
}

/** A document as a request contains it. */
export function payload({ id, title, text, language }) {
  return { id, text, ...(title ? { title } : {}), ...(language ? { language } : {}) };
}

/** The same objects, with values of the property `name` that are unique. */
export function distinct(all, name) {
  const taken = new Set();
  return all.map((one) => {
    let value = one[name];
    for (let number = 2; taken.has(value); number += 1) value = `${one[name]} (${number})`;
    taken.add(value);
    return { ...one, [name]: value };
  });
}
