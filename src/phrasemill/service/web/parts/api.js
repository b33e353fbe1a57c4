/** Requests to the service, problems in plain words, and the token if the server requires one. */

import { html, render, useEffect, useState } from "./elements.js";

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
    return [0, 401, 408, 429].includes(this.status) || this.status >= 500;
  }

  /** What the reader can do. */
  get advice() {
    if (this.retryAfter) return `Try again in about ${this.retryAfter} s.`;
    return this.status === 422 && this.detail ? "" : (ADVICE[this.status] ?? ""); // a 422 says itself what to change
  }
}

/** Return the answer to a request as JSON. */
export async function call(path, options = {}) {
  return (await respond(path, options)).json();
}

/** The events of a stream, as they arrive. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => {
        const at = line.indexOf(":");
        return [line.slice(0, at), line.slice(at + 1).trim()];
      });
      const event = fields.find(([name]) => name === "event")?.[1];
      const data = fields.filter(([name]) => name === "data").map(([, text]) => text).join("\n");
      const id = fields.find(([name]) => name === "id")?.[1];
      if (event) yield { event, id, data: JSON.parse(data) };
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
      if (token === null) {
        const detail = "Ask whoever runs it for one, then try again.";
        throw new Problem({ title: "This server asks for a token", detail, status: 401 });
      }
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
    const detail = "It may have been stopped. Start it again (phrasemill serve), then try again.";
    throw new Problem({ title: "The server does not answer", detail });
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

/** The same for a component: `{ answer, problem }`, both null until one is there. */
export function useOnce(path) {
  const [state, setState] = useState({ answer: null, problem: null });
  useEffect(() => {
    once(path).then(
      (answer) => setState({ answer, problem: null }),
      (problem) => setState({ answer: null, problem }),
    );
  }, [path]);
  return state;
}

let asking = null;

/** Ask for the token of the server, once for all requests; return what was typed, or null. */
function askToken({ wrong }) {
  asking ??= ask(wrong).finally(() => {
    asking = null;
  });
  return asking;
}

function ask(wrong) {
  return new Promise((resolve) => {
    const place = document.body.appendChild(document.createElement("div"));
    const closed = ({ currentTarget: dialog }) => {
      const typed = dialog.querySelector("input").value.trim();
      render(null, place);
      place.remove();
      resolve(dialog.returnValue === "go" && typed ? typed : null);
    };
    const unknown = html`<p class="field-error" role="alert">The server does not know that token.</p>`;
    render(html`<dialog class="dialog" aria-labelledby="token-title" onclose=${closed}>
      <form method="dialog">
        <h2 id="token-title">Token needed</h2>
        <p>This server answers only to those who have its token. It stays in this tab until you close it.</p>
        ${wrong ? unknown : null}
        <label class="label" for="token">Token</label>
        <input id="token" type="password" autocomplete="current-password" required />
        <div class="row end">
          <button class="button quiet" type="button" onclick=${() => place.firstElementChild.close("")}>Cancel</button>
          <button class="button primary" value="go">Continue</button>
        </div>
      </form>
    </dialog>`, place);
    place.firstElementChild.showModal();
    place.querySelector("input").focus();
  });
}
