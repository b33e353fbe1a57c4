/** How far a folder is, what can be done about it, and what is shown of it; and the box that a folder is dropped on. */

import { announce, h, plural, uid } from "./elements.js";
import { saveAs } from "./exports.js";
import { fileButton } from "./file_drop.js";
import { cancelJob, resultOf, retryJob } from "./jobs.js";
import { menu } from "./menu.js";
import { trouble } from "./status.js";
import { ACCEPT } from "./text_input.js";

const RUNNING = ["queued", "reading", "running"];
const FORMATS = [["csv", "CSV"], ["jsonl", "JSON lines"], ["parquet", "Parquet"], ["bibtex", "BibTeX keywords"], ["markdown", "Markdown front matter"]];

/** The line with progress, cancel, retry and filter. `onFollow` is called when the job goes on after a retry;
    `onFilter` gets what changed in what is shown; problems go to `state`. */
export function folderProgress({ onFollow, onFilter, state }) {
  const id = uid("filter");
  const words = h("p", { class: "folder-words", role: "status" });
  const meter = h("progress", { class: "folder-meter", "aria-label": "Progress" });
  const cancel = h("button", { class: "button small", type: "button", onclick: () => act(cancelJob) }, "Cancel");
  const retry = h("button", { class: "button small", type: "button", onclick: () => act(retryJob, onFollow) });
  const only = h("button", { class: "button quiet small", type: "button", "aria-pressed": "false", onclick: () => onFilter({ failed: only.getAttribute("aria-pressed") !== "true" }) });
  const field = h("input", { type: "text", id, class: "folder-filter", placeholder: "Filter by phrase or name", oninput: () => onFilter({ filter: field.value.trim().toLowerCase() }) });
  const clear = h("button", { class: "link", type: "button", onclick: () => { field.value = ""; onFilter({ filter: "" }); field.focus(); } }, "Clear");
  let job = null;
  let told = "";

  async function act(work, then = () => {}) {
    try {
      job = await work(job.id);
      then(job);
    } catch (error) {
      state.replaceChildren(trouble(error, () => { state.replaceChildren(); act(work, then); }));
    }
  }

  /** Show how far `found` is, and how its rows are filtered. */
  function show(found, { filter, failed }, retriable = 0) {
    job = found;
    const running = RUNNING.includes(job.status);
    const finished = job.done + job.failed;
    words.textContent = sentence(job, finished, running);
    meter.hidden = !running;
    if (job.total) {
      meter.max = job.total;
      meter.value = finished;
    } else meter.removeAttribute("value");
    cancel.hidden = !running;
    retry.hidden = running || !retriable;
    retry.textContent = `Retry ${retriable} of the failed`;
    only.hidden = !job.failed;
    only.textContent = `Show failed (${job.failed})`;
    only.setAttribute("aria-pressed", String(failed));
    if (document.activeElement !== field) field.value = filter;
    clear.hidden = !filter;
    if (!running && told !== job.id + job.status) {
      told = job.id + job.status;
      announce(words.textContent);
    }
  }

  return {
    element: h("div", { class: "folder-bar" }, words, meter, cancel, retry, only,
      h("span", { class: "folder-search" }, h("label", { class: "sr-only", for: id }, "Filter by phrase or name"), field, clear)),
    show,
  };
}

function sentence(job, finished, running) {
  const failed = job.failed ? `, ${job.failed} failed` : "";
  if (job.status === "failed") return job.problem?.detail || job.problem?.title || "The job failed.";
  if (!running) return `${plural(job.done, "document")} ${job.status === "cancelled" ? "done before it was cancelled" : "done"}${failed}`;
  return job.total ? `${finished.toLocaleString("en")} of ${plural(job.total, "document")}${failed}` : "Reading the files";
}

/** The menu with one download for the whole folder; `gold` gives the lines of documents that were reviewed. */
export function resultMenu(jobNow, state, { gold = () => [] } = {}) {
  const item = (words, onclick) => h("li", {}, h("button", { class: "menu-action", type: "button", onclick: () => { made.close(); onclick(); } }, words));
  const reviewed = h("ul");
  const made = menu("Download", [h("ul", {}, FORMATS.map(([format, words]) => item(words, () => download(format)))), reviewed], { kind: "button small primary" });
  made.element.addEventListener("toggle", () => {
    const lines = gold();
    reviewed.replaceChildren(...(lines.length ? [item(`Gold of ${plural(lines.length, "reviewed document")}`, () => saveAs(new Blob(lines, { type: "application/jsonl" }), "gold.jsonl"))] : []));
  });

  async function download(format) {
    try {
      const { blob, name } = await resultOf(jobNow().id, format);
      state.replaceChildren();
      saveAs(blob, name);
    } catch (error) {
      state.replaceChildren(trouble(error, () => download(format)));
    }
  }

  return made.element;
}

/** The box that shows where to drop. */
export function droppedHint(onFiles, onExample) {
  return h("div", { class: "card folder-drop" },
    h("p", { class: "folder-drop-words" }, "Drop a folder, files, a zip, a CSV or JSON lines anywhere on this page"),
    h("div", { class: "row folder-drop-row" },
      fileButton("Choose a folder", onFiles, { kind: "primary wide-only", folder: true }),
      fileButton("Choose files", onFiles, { accept: ACCEPT }),
      h("button", { class: "button quiet", type: "button", onclick: onExample }, "Try an example")));
}
