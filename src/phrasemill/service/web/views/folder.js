/** A folder of documents: one row per document, which fills while the service works through them. */

import { latestAddress, writeAddress } from "../parts/address.js";
import { goldLine } from "../parts/choices.js";
import { controlBar, requested, settingsFrom, settingsQuery } from "../parts/control_bar.js";
import { documentDesk } from "../parts/document_desk.js";
import { h, plural } from "../parts/elements.js";
import { EXAMPLE_OTHER_SET, EXAMPLE_SET } from "../parts/examples.js";
import { droppedHint, folderProgress, resultMenu } from "../parts/folder_bar.js";
import { arranged, choicesOf, shownRow } from "../parts/folder_rows.js";
import { folderTable } from "../parts/folder_table.js";
import { createJob, documentOfJob, follow, jobOf, pagedDocument, removeJob, rowsOf } from "../parts/jobs.js";
import { amend, keep } from "../parts/kept.js";
import { chooser, during, nothing } from "../parts/status.js";
import { backButton, textHeader } from "../parts/text_header.js";
import { tourStep } from "../parts/tour.js";

const DEFAULTS = { method: "learned", top: 10 };

export function view(root) {
  let chosen = { ...DEFAULTS };
  let job = null;
  let files = null; // those of the job, if this page sent them
  let column = ""; // the one with the text, where tables have no usual name for it
  let rows = [];
  const decisions = new Map(); // by the number of the document
  let open = ""; // the number of the open document
  let example = false;
  let place = 0; // where the table was scrolled to
  let shape = { sort: "number", falling: false, filter: "", failed: false };
  let control = null;
  let timer = 0;
  const start = h("div");
  const folder = h("div", { class: "folder", hidden: true });
  const reading = h("div", { class: "folder-document", hidden: true });
  const state = h("div", { class: "state" });
  const tour = h("div");
  const settings = h("div");
  const head = h("div", { class: "paper-line" });
  const progress = folderProgress({ onFollow: (again) => { job = again; watch(again); }, onFilter: refine, state });
  const table = folderTable({ onOpen: (row) => read(row.number, { push: true }), onPhrase: (text) => refine({ filter: text.toLowerCase() }), onSort: (column) => refine({ sort: column, falling: shape.sort === column && !shape.falling }) });
  const empty = h("div");
  const choice = h("div", { class: "folder-choice", hidden: true });
  start.append(h("div", { class: "hero" },
    h("h1", {}, "Keyphrases of a folder"),
    h("p", { class: "lead" }, "One row per document: PDF, Word, HTML, text, a zip, CSV or JSON lines. Then one download.")), droppedHint(take, () => shown({ query: { doc: "example" } })));
  folder.append(h("h1", { class: "sr-only" }, "A folder of documents"), tour, head, settings, progress.element, choice, table.element, empty);
  root.replaceChildren(start, state, folder, reading);

  const query = () => ({ ...(example ? { doc: "example" } : {}), ...settingsQuery(chosen), sort: shape.sort === "number" ? "" : shape.sort, falling: shape.falling ? 1 : "", filter: shape.filter, failed: shape.failed ? 1 : "" });
  const remember = (how) => writeAddress("folder", job ? { rest: [job.id, ...(open ? [open] : [])], query: query() } : {}, how);

  /** Show what the address names. */
  async function shown({ rest = [], query: given = {} } = {}) {
    const [id, number = ""] = rest;
    if (given.doc === "example" && !id && !(example && job)) return begin(exampleFiles(), { isExample: true });
    if (!id && !(given.doc === "example")) return job && latestAddress("folder") === location.hash ? undefined : leave();
    if (id && id !== job?.id) {
      chosen = settingsFrom(given, DEFAULTS);
      shape = { sort: given.sort || "number", falling: Boolean(given.falling), filter: given.filter ?? "", failed: Boolean(given.failed) };
      example = given.doc === "example";
      const found = await during(state, "Opening the folder", (signal) => jobOf(id, signal), () => shown({ rest, query: given }));
      if (!found) return leave({ message: true });
      adopt(found, null);
    }
    if (number) return read(number);
    return back();
  }

  function leave({ message = false } = {}) {
    control?.abort();
    [job, rows, open, example, files] = [null, [], "", false, null];
    start.hidden = false;
    folder.hidden = reading.hidden = true;
    if (!message) state.replaceChildren();
    return undefined;
  }

  function take(given) {
    column = "";
    return begin(given, { isExample: false });
  }

  /** Send files as a new job. */
  async function begin(given, { isExample = false, replaces = null } = {}) {
    const made = await during(state, `Sending ${plural(given.length, "file")}`, (signal) => createJob(given, { ...requested(chosen), language: chosen.language, columns: column && `text=${column}` }, signal), () => begin(given, { isExample, replaces }), { result: replaces ? table.element : null });
    if (!made) return;
    if (replaces) removeJob(replaces).catch(() => {}); // it may have expired
    example = isExample;
    shape = { sort: "number", falling: false, filter: "", failed: false };
    adopt(made, given);
    if (!example) amend(keep("folder", nameOfFolder(given), { job: made.id }), { rest: [made.id] });
    remember({ push: !replaces });
    back();
  }

  /** Offer the columns of tables that have none with a usual name for the text. */
  function offer(names) {
    const before = JSON.stringify(names);
    if (choice.dataset.names === before) return;
    choice.dataset.names = before;
    choice.hidden = !names.length;
    choice.replaceChildren(...(names.length ? [chooser("The column with the text", names, (name) => { column = name; rerun(); })] : []));
  }

  function adopt(found, given) {
    [job, files, rows, open, place] = [found, given, [], "", 0];
    decisions.clear();
    head.replaceChildren(backButton("New folder", () => { writeAddress("folder", {}, { push: true }); leave(); }), h("p", { class: "paper-name" }, example ? "Twelve short articles" : given ? nameOfFolder(given) : "Folder"));
    drawSettings();
    progress.show(job, shape);
    tour.replaceChildren(...[tourStep("folder", example)].filter(Boolean));
    start.hidden = true;
    folder.hidden = false;
    watch(job);
  }

  function drawSettings() {
    const bar = controlBar({ chosen, withLanguage: false, onChange: rerun });
    bar.actions.replaceChildren(resultMenu(() => job, state, { gold: () => [...decisions.values()].filter((one) => one.decided).map(({ id, accepted }) => goldLine(id, accepted)) }));
    settings.replaceChildren(bar.element);
  }

  /** Other settings make another job of the same files. */
  function rerun() {
    if (files) begin(files, { isExample: example, replaces: job.id });
    else state.replaceChildren(h("p", { class: "notice", role: "alert" }, "Drop the files again to change how they are read: this page was reloaded since."));
  }

  async function watch(watched) {
    control?.abort();
    control = new AbortController();
    const { signal } = control;
    await during(h("div"), "", async () => {
      for (const row of await rowsOf(watched.id, signal)) put(row);
      draw();
      if (["done", "failed", "cancelled"].includes(watched.status)) return;
      await follow(watched.id, { signal, onJob: (found) => { job = found; later(); }, onRow: (row) => { put(row); later(); } });
      if (signal.aborted) return;
      for (const row of await rowsOf(watched.id, signal)) put(row);
      draw();
    }).catch(() => {});
  }

  function put(row) {
    rows[row.number] = shownRow(row);
  }

  /** Draw at most once per frame, however many rows arrive. */
  function later() {
    timer ||= requestAnimationFrame(() => { timer = 0; draw(); });
  }

  function draw() {
    const all = rows.filter(Boolean);
    const found = arranged(all, shape);
    offer(choicesOf(all));
    progress.show(job, shape, all.filter((row) => row.can_retry).length);
    table.element.hidden = !found.length; // before it is drawn: rows are drawn only where they can be seen
    table.show(found, shape);
    empty.replaceChildren(...(found.length || !all.length ? [] : [nothing("No document matches", `None of ${plural(all.length, "document")} has “${shape.filter}”.`)]));
  }

  function refine(changes) {
    shape = { ...shape, ...changes };
    draw();
    remember();
  }

  async function read(number, { push = false } = {}) {
    if (!open) place = scrollY;
    const record = await during(state, "Opening the document", (signal) => documentOfJob(job.id, number, signal), () => read(number, { push }));
    if (!record) return;
    open = String(number);
    remember({ push });
    const document = pagedDocument(job.id, { number }, record);
    const own = { ...chosen, language: "" };
    const made = documentDesk({ document, chosen: own, found: { ...record, method: job.method }, decided: decisions.get(String(number))?.decided, files: [record.file], onDecide: (decided, accepted) => decisions.set(String(number), { id: record.id, decided, accepted }) });
    reading.replaceChildren(h("h1", { class: "sr-only" }, `Keyphrases of ${document.name}`),
      textHeader({ document, words: "Back to the folder", onNew: () => (push ? history.back() : back({ push: true })) }), ...made.elements);
    folder.hidden = true;
    reading.hidden = false;
    scrollTo(0, 0);
  }

  /** Show the table where it was left. */
  function back({ push = false } = {}) {
    open = "";
    remember({ push });
    reading.hidden = true;
    reading.replaceChildren();
    folder.hidden = false;
    start.hidden = true;
    draw();
    scrollTo(0, place);
    table.draw();
  }

  return { shown, take };
}

function nameOfFolder(files) {
  const first = files[0].path || files[0].webkitRelativePath || files[0].name;
  return first.includes("/") ? first.split("/")[0] : files.length === 1 ? first : `${first} and ${plural(files.length - 1, "other")}`;
}

function exampleFiles() {
  return [...EXAMPLE_SET, ...EXAMPLE_OTHER_SET].map(({ title, text }) => new File([`<!doctype html><title>${title}</title><p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`], `${title.replace(/[^\w]+/g, "-").toLowerCase()}.html`));
}
