/** Jobs of the service: many documents, worked on one after the other, whose rows arrive as they are done. */

import { call, events, Problem, respond } from "./api.js";
import { useEffect, useReducer, useRef, useState } from "./elements.js";
import { documentOf, nameOf, unread, withoutName } from "./documents.js";

const PAGE = 200; // rows per request
const PAUSE = 1000; // ms before a lost connection is tried again
const PATIENCE = 5; // times
const MINE = "phrasemill-jobs";
const MOST = 6; // jobs that a tab keeps on the server
const MARKED = 40; // phrases that are marked on the pages of a PDF

/** Send files, and return the new job. */
export function createJob(files, settings, signal) {
  const form = new FormData();
  for (const file of files) form.append("files", file, nameOf(file));
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined && value !== null && value !== "") form.append(name, [value].flat().join("\n"));
  }
  form.append("explain", "true");
  return call("v1/jobs", { form, signal }).then(remembered);
}

/** Delete the oldest jobs of this tab: a server has room for a few of each client. */
function remembered(job) {
  const mine = [...JSON.parse(sessionStorage.getItem(MINE) ?? "[]"), job.id];
  for (const id of mine.splice(0, mine.length - MOST)) removeJob(id).catch(() => {}); // it may have expired
  sessionStorage.setItem(MINE, JSON.stringify(mine));
  return job;
}

function jobOf(id, signal) {
  return call(`v1/jobs/${id}`, { signal });
}

/** All rows so far. */
async function rowsOf(id, signal) {
  const rows = [];
  for (;;) {
    const { total, documents } = await call(`v1/jobs/${id}/documents?offset=${rows.length}&limit=${PAGE}`, { signal });
    rows.push(...documents);
    if (!documents.length || rows.length >= total) return rows;
  }
}

/** Follow a job until it ends: `onJob` gets its state, `onRow` each row that changed. A lost connection is resumed. */
async function follow(id, { onJob, onRow, signal }) {
  let last = "";
  for (let failures = 0; failures < PATIENCE; failures += 1) {
    try {
      const headers = last ? { "Last-Event-ID": last } : {};
      const response = await respond(`v1/jobs/${id}/events`, { accept: "text/event-stream", signal, headers });
      for await (const { event, id: number, data } of events(response.body)) {
        if (number) last = number;
        failures = 0;
        if (event === "document") onRow(data);
        else if (event === "job" || event === "end") onJob(data);
        if (event === "end") return data;
      }
    } catch (error) {
      if (error.name === "AbortError" || (error instanceof Problem && !error.mayPass)) throw error;
    }
    if (signal?.aborted) return null;
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
  }
  const detail = "The job may still be running. Reload the page to look again.";
  throw new Problem({ title: "The connection was lost", detail });
}

export function isRunning({ status }) {
  return ["queued", "reading", "running"].includes(status);
}

/** The job `id` and its rows, which arrive while it runs; `adopt` takes a job that was made or changed just now. What
    goes wrong is said by `task`. */
export function useJob(id, task) {
  const [, draw] = useReducer((number) => number + 1, 0);
  const [changes, setChanges] = useState(0);
  const frame = useRef(0);
  const latest = useRef({ job: null, rows: [] });
  useEffect(() => {
    if (!id) return undefined;
    const control = new AbortController();
    watch(control.signal).catch((error) => {
      if (error.name !== "AbortError") task.fail(error);
    });
    return () => control.abort();
  }, [id, changes]);

  async function watch(signal) {
    if (latest.current.job?.id !== id) {
      const found = await task.run("Opening the folder", () => jobOf(id, signal), () => setChanges(changes + 1));
      if (!found) return;
      latest.current = { job: found, rows: [] };
    }
    const mine = latest.current;
    // However many rows arrive, they are drawn at most once per frame.
    const later = () => {
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0;
        draw();
      });
    };
    const onJob = (job) => {
      mine.job = job;
      later();
    };
    const onRow = (row) => {
      mine.rows[row.number] = row;
      later();
    };
    (await rowsOf(id, signal)).forEach(onRow);
    if (!isRunning(mine.job)) return;
    await follow(id, { signal, onJob, onRow });
    if (!signal.aborted) (await rowsOf(id, signal)).forEach(onRow);
  }

  function adopt(job) {
    if (latest.current.job?.id === job.id) latest.current.job = job;
    else latest.current = { job, rows: [] };
    setChanges(changes + 1);
  }

  const { job, rows } = latest.current;
  return { job: job?.id === id ? job : null, rows: rows.filter(Boolean), adopt };
}

/** Read one file as a job, whose document has pages: `{ documents, failures }`, as `readFiles` returns. */
export async function readWithPages([file], { signal, tell }) {
  const name = nameOf(file);
  tell(`Reading ${name}`);
  const { id } = await createJob([file], { top: MARKED }, signal);
  await follow(id, { signal, onJob: () => {}, onRow: () => {} });
  const [row] = await rowsOf(id, signal);
  if (row?.status !== "done") {
    const reason = withoutName(row?.problem?.detail ?? "no text in it", name);
    throw unread([{ name, reason }], { mayPass: row?.can_retry });
  }
  return { documents: [pagedDocument(id, row.number, await documentOfJob(id, row.number, signal))], failures: [] };
}

/** A document of a job, as views show it: with the address of its pages if it has some. */
export function pagedDocument(id, number, record) {
  const keyphrases = record.keyphrases.map(({ text }) => ({ text }));
  const pages = record.pages ? `v1/jobs/${id}/documents/${number}/pages` : null;
  return { ...documentOf(record, record.file), keyphrases, pages };
}

export const cancelJob = (id) => call(`v1/jobs/${id}/cancel`, { method: "POST" });
export const retryJob = (id) => call(`v1/jobs/${id}/retry`, { method: "POST" });
export const removeJob = (id) => respond(`v1/jobs/${id}`, { method: "DELETE" });
export const documentOfJob = (id, number, signal) => call(`v1/jobs/${id}/documents/${number}`, { signal });

/** The result in a format, as a file: `{ blob, name }`. */
export async function resultOf(id, format) {
  const response = await respond(`v1/jobs/${id}/result?format=${format}`, { accept: "*/*" });
  const name = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { blob: await response.blob(), name: name ?? `keyphrases.${format}` };
}
