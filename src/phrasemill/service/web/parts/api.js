/** Requests to the service, problems in plain words, and the token if the server requires one. */

import { askToken } from "./token.js";

const KEY = "phrasemill-token";

/** An error in words that a reader understands. */
export class Problem extends Error {
  constructor({ title, detail, status = 0, retryAfter = 0 }) {
    super(detail || title);
    this.title = title;
    this.detail = detail && detail !== title ? detail : "";
    this.status = status;
    this.retryAfter = retryAfter;
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

async function* events(body) {
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
      if (event) yield { event, data: JSON.parse(data) };
    }
  }
}

async function respond(path, options) {
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

async function send(path, { json, form, signal, accept = "application/json" }) {
  const headers = { Accept: accept };
  const token = sessionStorage.getItem(KEY);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (json) headers["Content-Type"] = "application/json";
  const body = json ? JSON.stringify(json) : form;
  try {
    return await fetch(path, { method: body ? "POST" : "GET", headers, body, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ title: "The server does not answer", detail: "It may have been stopped. Start it again, then try once more." });
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
