/** A folder of documents: one row per document, which fills while the service works through them. */

import { Problem } from "../parts/api.js";
import { useAddress, write } from "../parts/address.js";
import { ControlBar, requested, settingsFrom, settingsQuery } from "../parts/controls.js";
import { Desk, TextHeader } from "../parts/desk.js";
import { nameOf } from "../parts/documents.js";
import {
  announce, closeMenu, html, Icon, Menu, plural, useEffect, useLayoutEffect, useMemo, useRef, useState, useUid,
} from "../parts/elements.js";
import { EXAMPLE_OTHER_SET, EXAMPLE_SET } from "../parts/examples.js";
import { saveAs } from "../parts/exports.js";
import { FolderTable, titleOf } from "../parts/folder_table.js";
import { FileButton } from "../parts/intake.js";
import {
  cancelJob, createJob, documentOfJob, isRunning, pagedDocument, removeJob, resultOf, retryJob, useJob,
} from "../parts/jobs.js";
import { goldLine, UNDECIDED } from "../parts/review.js";
import { Chooser, Nothing, Status, useTask } from "../parts/status.js";

const DEFAULTS = { method: "learned", top: 10 };
const FORMATS = [
  ["csv", "CSV"],
  ["jsonl", "JSON lines"],
  ["parquet", "Parquet"],
  ["bibtex", "BibTeX keywords"],
  ["markdown", "Markdown front matter"],
];

/** `given` are files that were dropped or chosen elsewhere. */
export function FolderView({ given }) {
  const { rest: [id = "", number = ""], query } = useAddress("folder");
  const task = useTask();
  const { job, rows, adopt } = useJob(id, task);
  const sent = useRef({ id: "", files: [] }); // what this page sent for the job
  const [known, setKnown] = useState({});
  const [column, setColumn] = useState(""); // the one with the text, where tables have no usual name for it
  const [record, setRecord] = useState(null); // the latest open document, with its job and number
  const decisions = useRef(new Map()); // by the number of the document
  const place = useRef(0); // where the table was scrolled to

  const chosen = settingsFrom(query, DEFAULTS);
  const shape = {
    sort: query.sort ?? "number",
    falling: Boolean(query.falling),
    filter: query.filter ?? "",
    failed: Boolean(query.failed),
  };
  const reading = number && record?.number === number && record.job === id ? record : null;

  useEffect(() => {
    if (given) start(given.files, nameOfFolder(given.files));
  }, [given]);
  useEffect(() => {
    if (number && !reading) read();
  }, [id, number]);
  useLayoutEffect(() => scrollTo(0, reading ? 0 : place.current), [reading]);

  function start(files, name) {
    setColumn("");
    send(files, { name, settings: chosen, words: known, column: "" });
  }

  /** Send files as a new job, which may replace another of the same files. */
  async function send(files, options) {
    const { name, settings, words, column: text, replaced = "" } = options;
    const fields = { ...requested({ ...settings, known: words }), language: settings.language };
    const work = (signal) => createJob(files, { ...fields, columns: text && `text=${text}` }, signal);
    const made = await task.run(`Sending ${plural(files.length, "file")}`, work, () => send(files, options));
    if (!made) return;
    if (replaced) removeJob(replaced).catch(() => {}); // it may have expired
    sent.current = { id: made.id, files };
    adopt(made);
    decisions.current.clear();
    place.current = 0;
    write("folder", { rest: [made.id], query: { name, ...settingsQuery(settings) } }, { push: !replaced });
  }

  /** Other settings make another job of the same files. */
  function change({ known: words = known, column: text = column, ...changes }) {
    if (sent.current.id !== id) {
      const detail = "This page was loaded again since. Drop the files again to change how they are read.";
      task.fail({ title: "The files are not here any more", detail, mayPass: false });
      return;
    }
    const settings = { ...chosen, ...changes };
    setKnown(words);
    setColumn(text);
    write("folder", { rest: [id], query: { ...query, ...settingsQuery(settings) } });
    send(sent.current.files, { name: query.name, settings, words, column: text, replaced: id });
  }

  const refine = (changes) => {
    const { sort, falling, filter, failed } = { ...shape, ...changes };
    const shown = { sort: sort === "number" ? "" : sort, falling: falling ? 1 : "", filter, failed: failed ? 1 : "" };
    write("folder", { rest: [id], query: { ...query, ...shown } });
  };

  async function read() {
    const found = await task.run("Opening the document", (signal) => documentOfJob(id, number, signal), read);
    if (found) setRecord({ ...found, number, job: id });
  }

  function open(row) {
    place.current = scrollY;
    write("folder", { rest: [id, row.number], query }, { push: true });
  }

  /** Cancel or retry the job. */
  async function act(work) {
    const next = await task.run("Asking the server", () => work(id), () => act(work));
    if (next) adopt(next);
  }

  async function download(format) {
    const found = await task.run("Preparing the file", () => resultOf(id, format), () => download(format));
    if (found) saveAs(found.blob, found.name);
  }

  const status = html`<${Status} task=${task} old=${Boolean(job)} />`;
  if (!job) return id && !task.failed ? status : html`<${Start} onFiles=${start} status=${status} />`;
  if (reading) {
    return html`${status}<${Reading}
      key=${`${id} ${number}`} ...${{ job, record: reading }} settings=${chosen}
      decided=${decisions.current.get(number)?.decided}
      onDecide=${(decided, accepted) => decisions.current.set(number, { id: reading.id, decided, accepted })}
      onBack=${() => write("folder", { rest: [id], query }, { push: true })}
    />`;
  }

  const found = arranged(rows, shape);
  const columns = choicesOf(rows);
  const reviewed = [...decisions.current.values()];
  return html`<div class="folder">
    <h1 class="sr-only">A folder of documents</h1>
    <div class="paper-line">
      <button
        class="button quiet small back" type="button" onclick=${() => write("folder", {}, { push: true })}
      ><${Icon} name="back" />New folder</button>
      <p class="paper-name">${query.name || "Folder"}</p>
    </div>
    <${ControlBar} chosen=${chosen} onChange=${change}>
      <${Menu} words="Download" kind="button small primary">
        <ul>
          ${FORMATS.map(([format, words]) => html`<${Item} words=${words} onChoose=${() => download(format)} />`)}
          ${reviewed.length > 0 && html`<${Item}
            words=${`Gold of ${plural(reviewed.length, "reviewed document")}`}
            onChoose=${() => saveAs(new Blob(reviewed.map((one) => goldLine(one.id, one.accepted))), "gold.jsonl")}
          />`}
        </ul>
      <//>
    <//>
    ${status}
    <${FolderBar}
      ...${{ job, shape }} retriable=${rows.filter((row) => row.can_retry).length} onRefine=${refine}
      onCancel=${() => act(cancelJob)} onRetry=${() => act(retryJob)}
    />
    ${columns.length > 0 && html`<div class="folder-choice">
      <${Chooser}
        key=${columns.join()} label="The column with the text" names=${columns}
        onChoose=${(name) => change({ column: name })}
      />
    </div>`}
    <${FolderTable}
      rows=${found} shape=${shape} onOpen=${open} onPhrase=${(text) => refine({ filter: text.toLowerCase() })}
      onSort=${(sort) => refine({ sort, falling: shape.sort === sort && !shape.falling })}
    />
    ${rows.length > 0 && !found.length && html`<${Nothing} title="No document matches">
      None of ${plural(rows.length, "document")} has “${shape.filter}”.
    <//>`}
  </div>`;
}

/** The view before there is a folder. */
function Start({ onFiles, status }) {
  const choose = (files) => onFiles(files, nameOfFolder(files));
  return html`
    <div class="hero">
      <h1>Keyphrases of a folder</h1>
      <p class="lead">One row per document: PDF, Word, HTML, text, a zip, CSV or JSON lines. Then one download.</p>
    </div>
    <div class="card folder-drop">
      <p class="folder-drop-words">Drop a folder, files, a zip, a CSV or JSON lines anywhere on this page</p>
      <div class="row folder-drop-row">
        <${FileButton} words="Choose a folder" onFiles=${choose} kind="primary wide-only" folder />
        <${FileButton} words="Choose files" onFiles=${choose} />
        <button
          class="button quiet" type="button" onclick=${() => onFiles(exampleFiles(), "Twelve short articles")}
        >Try an example</button>
      </div>
      ${status}
    </div>`;
}

/** One document of the folder, whose settings are its own. */
function Reading({ job, record, settings, decided, onDecide, onBack }) {
  const [chosen, setChosen] = useState({ ...settings, language: "", second: "" });
  const [phrase, setPhrase] = useState("");
  const [decidedNow, setDecided] = useState(decided ?? UNDECIDED);
  const document = useMemo(() => pagedDocument(job.id, record.number, record), [record]);
  return html`
    <h1 class="sr-only">Keyphrases of ${document.name}</h1>
    <${TextHeader} document=${document} words="Back to the folder" onBack=${onBack} />
    <${Desk}
      ...${{ document, chosen, phrase }} found=${{ ...record, method: job.method }} decided=${decidedNow}
      onChange=${(changes) => setChosen({ ...chosen, ...changes })} onPhrase=${setPhrase}
      onDecide=${(next, accepted) => { setDecided(next); onDecide(next, accepted); }}
    />`;
}

function Item({ words, onChoose }) {
  const choose = (event) => {
    closeMenu(event);
    onChoose();
  };
  return html`<li><button class="menu-action" type="button" onclick=${choose}>${words}</button></li>`;
}

/** How far the folder is, what can be done about it, and what is shown of it. */
function FolderBar({ job, shape, retriable, onRefine, onCancel, onRetry }) {
  const id = useUid("filter");
  const field = useRef();
  const [text, setText] = useState(shape.filter);
  const cleaned = (words) => words.trim().toLowerCase();
  const words = sentence(job);
  useEffect(() => {
    if (cleaned(text) !== shape.filter) setText(shape.filter);
  }, [shape.filter]);
  useEffect(() => {
    if (!isRunning(job)) announce(words);
  }, [job.id, job.status]);

  function type(next) {
    setText(next);
    onRefine({ filter: cleaned(next) });
  }

  return html`<div class="folder-bar">
    <p class="folder-words" role="status">${words}</p>
    ${isRunning(job) && html`
      <progress
        class="folder-meter" aria-label="Progress" max=${job.total || 1}
        value=${job.total ? job.done + job.failed : undefined}
      />
      <button class="button small" type="button" onclick=${onCancel}>Cancel</button>`}
    ${!isRunning(job) && retriable > 0 && html`<button class="button small" type="button" onclick=${onRetry}>
      Retry ${retriable} of the failed
    </button>`}
    ${job.failed > 0 && html`<button
      class="button quiet small" type="button" aria-pressed=${String(shape.failed)}
      onclick=${() => onRefine({ failed: !shape.failed })}
    >Show failed (${job.failed})</button>`}
    <span class="folder-search">
      <label class="sr-only" for=${id}>Filter by phrase or name</label>
      <input
        type="text" id=${id} class="folder-filter" placeholder="Filter by phrase or name" ref=${field}
        value=${text} oninput=${(event) => type(event.currentTarget.value)}
      />
      ${shape.filter && html`<button
        class="link" type="button" onclick=${() => { type(""); field.current.focus(); }}
      >Clear</button>`}
    </span>
  </div>`;
}

function sentence(job) {
  const failed = job.failed ? `, ${job.failed} failed` : "";
  if (job.status === "failed") return job.problem?.detail || job.problem?.title || "The job failed.";
  const end = job.status === "cancelled" ? "done before it was cancelled" : "done";
  if (!isRunning(job)) return `${plural(job.done, "document")} ${end}${failed}`;
  const finished = (job.done + job.failed).toLocaleString("en");
  return job.total ? `${finished} of ${plural(job.total, "document")}${failed}` : "Reading the files";
}

/** The columns of which one has the text in all files that lack one of a usual name. */
function choicesOf(rows) {
  const offered = rows.filter((row) => row.problem).map((row) => new Problem(row.problem).choices);
  const [first, ...others] = offered.filter((names) => names.length);
  return first?.filter((name) => others.every((one) => one.includes(name))) ?? [];
}

const SORTED_BY = {
  number: (row) => row.number,
  name: (row) => titleOf(row).toLowerCase(),
  language: (row) => row.language ?? "",
};

/** The rows that match: `filter` is part of a phrase or of a name, `failed` leaves only those that failed. */
function arranged(rows, { sort, falling, filter, failed }) {
  const value = SORTED_BY[sort] ?? SORTED_BY.number;
  const has = (text) => text.toLowerCase().includes(filter);
  const matches = (row) => !filter || row.keyphrases?.some((one) => has(one.text)) || has(titleOf(row));
  const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.number - b.number);
  const found = rows.filter((row) => (!failed || row.status === "failed") && matches(row)).sort(order);
  return falling ? found.reverse() : found;
}

function nameOfFolder(files) {
  const first = nameOf(files[0]);
  if (first.includes("/")) return first.split("/")[0];
  return files.length === 1 ? first : `${first} and ${plural(files.length - 1, "other")}`;
}

function exampleFiles() {
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return [...EXAMPLE_SET, ...EXAMPLE_OTHER_SET].map(({ title, text }) => {
    const name = `${title.replace(/[^\w]+/g, "-").toLowerCase()}.html`;
    return new File([`<!doctype html><title>${title}</title><p>${escaped(text)}</p>`], name);
  });
}
