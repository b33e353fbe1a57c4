/** Requests to the service, problems in plain words, and the token if the server requires one. */

import { askToken } from "./token.js";

const KEY = "phrasemill-token";

const ADVICE = {
  400: "Check the text or the file, then send it again.",
  404: "Drop the files again.",
  408: "The connection was too slow for the server. Try again, or send less at once.",
  413: "Send less at once: fewer files, or a shorter text.",
  415: "Drop another format: PDF, Word, HTML, Markdown, text, CSV or JSON lines.",
  422: "Change the setting or the file that is named here.",
  429: "Wait for your other requests to finish, then try again.",
  500: "The server's log says more. Try again, or try another method.",
  503: "The server has too much to do. Try again in a moment.",
};

/** An error in words that a reader understands. */
export class Problem extends Error {
  constructor({ title, detail, status = 0, retryAfter = 0, errors = [] }) {
    const open = errors.find((one) => one.choices?.length);
    detail = open?.detail ?? detail;
    super(detail || title);
    this.title = title;
    this.choices = open?.choices ?? []; // columns or fields, one of which the request must name …
    this.where = open?.where ?? ""; // … in this part of it
    this.detail = detail && detail !== title ? detail : "";
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get mayPass() {
    return this.status === 0 || this.status === 401 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** What the reader can do. */
  get advice() {
    if (this.retryAfter) return `Try again in about ${this.retryAfter} s.`;
    return this.status === 422 && this.detail ? "" : ADVICE[this.status] ?? ""; // a 422 says itself what to change
  }
}

/** Return the answer to a request as JSON. */
export async function call(path, options = {}) {
  return (await respond(path, options)).json();
}

/** Return the answer to a long request, with calls of `onProgress(done, total)` meanwhile. */
export async function stream(path, { onProgress, ...options }) {
  const response = await respond(path, { ...options, accept: "text/event-stream" });
  for await (const { event, data } of events(response.body)) {
    if (event === "document") onProgress(data.index + 1, data.total);
    else if (event === "done") return data;
    else if (event === "problem") throw new Problem(data);
  }
  throw new Problem({ title: "The answer broke off", detail: "The server may have been stopped. Try again." });
}

export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
      const event = fields.find(([name]) => name === "event")?.[1];
      const data = fields.filter(([name]) => name === "data").map(([, text]) => text).join("\n");
      if (event) yield { event, id: fields.find(([name]) => name === "id")?.[1], data: JSON.parse(data) };
    }
  }
}

/** Return the response to a request, whatever it contains; asks for the token if the server wants one. */
export async function respond(path, options = {}) {
  for (;;) {
    const response = await send(path, options);
    if (response.status === 401) {
      const wrong = sessionStorage.getItem(KEY) !== null;
      const token = await askToken({ wrong });
      if (token === null) throw new Problem({ title: "This server asks for a token", detail: "Ask whoever runs it for one, then try again.", status: 401 });
      sessionStorage.setItem(KEY, token);
    } else if (!response.ok) {
      throw await problemOf(response);
    } else {
      return response;
    }
  }
}

async function send(path, { json, form, signal, method, accept = "application/json", headers: more = {} }) {
  const headers = { Accept: accept, ...more };
  const token = sessionStorage.getItem(KEY);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (json) headers["Content-Type"] = "application/json";
  const body = json ? JSON.stringify(json) : form;
  try {
    return await fetch(path, { method: method ?? (body ? "POST" : "GET"), headers, body, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ title: "The server does not answer", detail: "It may have been stopped. Start it again (phrasemill serve), then try again." });
  }
}

async function problemOf(response) {
  let told = {};
  try {
    told = await response.json();
  } catch {
    // Something between the page and the service answered; only its status is known.
  }
  return new Problem({
    title: told.title || `The server answered ${response.status}`,
    detail: told.detail || (told.errors ?? []).map((one) => one.detail).join(" "),
    status: response.status,
    errors: told.errors,
    retryAfter: Number(response.headers.get("Retry-After")) || 0,
  });
}

const answers = new Map();

/** Return the answer to a GET that does not change while the page is open. */
export function once(path) {
  if (!answers.has(path)) {
    const answer = call(path);
    answers.set(path, answer);
    answer.catch(() => answers.delete(path));
  }
  return answers.get(path);
}
