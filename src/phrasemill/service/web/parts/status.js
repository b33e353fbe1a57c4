/** What stands where there is no result: waiting, a problem, nothing. */

import { announce, html, useEffect, useLayoutEffect, useRef, useState, useUid } from "./elements.js";

const PATIENCE = 150; // ms before waiting is shown at all; most answers come sooner

/** Work of which only the last run counts: `run(words, work, again)` gives what `work(signal, tell)` returns, or
    undefined if it failed or another run began. `again` repeats it. */
export function useTask() {
  const [status, setStatus] = useState(null); // { waiting } or { error, again }
  const latest = useRef(null);

  async function run(words, work, again) {
    latest.current?.abort();
    const control = new AbortController();
    latest.current = control;
    const show = (next) => {
      clearTimeout(timer);
      if (!control.signal.aborted) setStatus(next);
    };
    const timer = setTimeout(() => show({ waiting: words }), PATIENCE);
    try {
      const found = await work(control.signal, (next) => show({ waiting: next }));
      show(null);
      return control.signal.aborted ? undefined : found;
    } catch (error) {
      if (error.name === "AbortError") clearTimeout(timer);
      else show({ error, again });
      return undefined;
    }
  }

  const fail = (error) => setStatus({ error });
  return { run, fail, status, clear: () => setStatus(null), failed: Boolean(status?.error) };
}

/** How a task stands. `old`: below it is the answer from before. `onChoose(name, failure)` goes on with the column or
    field that the reader chose; `failure` is the file that lacked it, if there were several. */
export function Status({ task, old = false, onChoose = null }) {
  if (!task.status) return null;
  const { waiting, error, again } = task.status;
  return html`<div class="state">
    ${error ? html`<${Trouble} ...${{ error, again, old, onChoose }} />` : html`<${Waiting} words=${waiting} />`}
  </div>`;
}

function Waiting({ words }) {
  useEffect(() => announce(words), [words]);
  return html`<p class="waiting"><span class="spinner" aria-hidden="true" />${words}</p>`;
}

/** A problem in words, what to do about it, and a button to try again where that can help. */
function Trouble({ error, again, old, onChoose }) {
  const element = useRef();
  useLayoutEffect(() => element.current.scrollIntoView({ block: "nearest" }), [error]);
  const title = error.title ?? "Something went wrong on this page";
  const detail = error.title ? error.detail : error.message;
  const words = [detail, error.advice].filter(Boolean).map(ended).join(" ");
  const canPass = again && error.mayPass !== false;
  const field = !error.failures && error.choices?.length > 0 && onChoose;
  return html`<div class="trouble" role="alert" ref=${element}>
    <p class="trouble-title">${title}</p>
    ${words && html`<p>${words}</p>`}
    ${error.failures && html`<${Failures} failures=${error.failures} onChoose=${onChoose} />`}
    ${field && html`<${Chooser}
      label="The field with the phrases"
      names=${error.choices}
      onChoose=${(name) => onChoose(name, error)}
    />`}
    ${old && html`<p class="hint">Below is the result from before.</p>`}
    ${canPass && html`<button class="button small" type="button" onclick=${again}>Try again</button>`}
  </div>`;
}

function ended(sentence) {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Each file that failed, with its reason; the reader chooses where only the name of a column is missing. */
function Failures({ failures, onChoose }) {
  return html`<ul class="failures" tabindex="0" aria-label="Files that failed">
    ${failures.map((one) => html`<li key=${one.name}>
      <strong>${one.name}</strong> ${one.reason}
      ${one.choices?.length && onChoose ? html`<${Chooser}
        label="The column with the text"
        names=${one.choices}
        onChoose=${(name) => onChoose(name, one)}
      />` : null}
    </li>`)}
  </ul>`;
}

/** A list of names, and a button that goes on with the chosen one. */
export function Chooser({ label, names, onChoose }) {
  const id = useUid("choice");
  const select = useRef();
  return html`<div class="chooser">
    <label for=${id}>${label}</label>
    <select id=${id} ref=${select}>${names.map((one) => html`<option value=${one}>${one}</option>`)}</select>
    <button class="button small" type="button" onclick=${() => onChoose(select.current.value)}>Use it</button>
  </div>`;
}

export function Nothing({ title, children }) {
  return html`<div class="nothing">
    <p class="nothing-title">${title}</p>
    ${children && html`<p>${children}</p>`}
  </div>`;
}
