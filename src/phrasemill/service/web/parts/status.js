/** What an element shows while there is no result: waiting, a problem, nothing. */

import { announce, h, uid } from "./elements.js";

const PATIENCE = 150; // ms before waiting is shown at all; most answers come sooner

/** Run `work`; meanwhile and afterwards `place` shows how it stands. `again` repeats it after a failure that may pass.
    Of several runs at one place only the last counts: `work` gets a signal that ends when another begins. After a
    failure, `result`, which still shows the answer before, is greyed. `choose(error.failures ?? error)` returns what to
    call with a name that the reader chose, and what lacked it. */
export async function during(place, words, work, again, { result = null, choose = () => null } = {}) {
  place.control?.abort();
  const control = new AbortController();
  place.control = control;
  const timer = setTimeout(() => place.replaceChildren(waiting(words)), PATIENCE);
  try {
    const found = await work(control.signal, (newWords) => { clearTimeout(timer); place.replaceChildren(waiting(newWords)); });
    clearTimeout(timer);
    if (control.signal.aborted) return undefined;
    place.replaceChildren();
    result?.classList.remove("stale");
    return found;
  } catch (error) {
    clearTimeout(timer);
    if (control.signal.aborted || error.name === "AbortError") return undefined;
    const old = result?.hasChildNodes() ?? false;
    result?.classList.toggle("stale", old);
    place.replaceChildren(trouble(error, again, { old, onChoose: choose(error.failures ?? error) }));
    place.scrollIntoView?.({ block: "nearest" });
    return undefined;
  }
}

function waiting(words) {
  announce(words);
  return h("p", { class: "waiting" }, h("span", { class: "spinner", "aria-hidden": "true" }), words);
}

/** A problem in words, what to do about it, and a button to try again where that can help. `old`: below it stands the
    answer before. */
export function trouble(error, again, { old = false, onChoose = null } = {}) {
  const title = error.title ?? "Something went wrong on this page";
  const detail = error.title ? error.detail : error.message;
  const words = [detail, error.advice].filter(Boolean).map(ended).join(" ");
  return h("div", { class: "trouble", role: "alert" },
    h("p", { class: "trouble-title" }, title),
    words ? h("p", {}, words) : null,
    error.failures ? failureList(error.failures, onChoose) : null,
    error.choices?.length && onChoose ? chooser("The field with the phrases", error.choices, onChoose) : null,
    old ? h("p", { class: "hint" }, "Below is the result from before.") : null,
    again && error.mayPass !== false ? h("button", { class: "button small", type: "button", onclick: again }, "Try again") : null);
}

function ended(sentence) {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Each file that failed, with its reason; the reader chooses where only the name of a column is missing. */
export function failureList(failures, onChoose = null) {
  return h("ul", { class: "failures", tabindex: 0, "aria-label": "Files that failed" }, failures.map((one) => h("li", {},
    h("strong", {}, one.name), " ", one.reason,
    one.choices?.length && onChoose ? chooser("The column with the text", one.choices, (name) => onChoose(name, one)) : null)));
}

/** A list of names, and a button that goes on with the chosen one. */
export function chooser(label, names, onChoose) {
  const id = uid("choice");
  const select = h("select", { id }, names.map((one) => h("option", { value: one }, one)));
  return h("div", { class: "chooser" }, h("label", { for: id }, label), select,
    h("button", { class: "button small", type: "button", onclick: () => onChoose(select.value) }, "Use it"));
}

export function nothing(title, words) {
  return h("div", { class: "nothing" }, h("p", { class: "nothing-title" }, title), words ? h("p", {}, words) : null);
}
