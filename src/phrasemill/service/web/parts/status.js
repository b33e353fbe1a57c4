/** What an element shows while there is no result: waiting, a problem, nothing. */

import { announce, h } from "./elements.js";

const PATIENCE = 150; // ms before waiting is shown at all; most answers come sooner

/** Run `work`; meanwhile and afterwards `place` shows how it stands. `again` repeats it after a failure.
    Of several runs at one place only the last counts: `work` gets a signal that ends when another begins. */
export async function during(place, words, work, again) {
  place.control?.abort();
  const control = new AbortController();
  place.control = control;
  const timer = setTimeout(() => place.replaceChildren(waiting(words)), PATIENCE);
  try {
    const result = await work(control.signal, (newWords) => { clearTimeout(timer); place.replaceChildren(waiting(newWords)); });
    clearTimeout(timer);
    if (control.signal.aborted) return undefined;
    place.replaceChildren();
    return result;
  } catch (error) {
    clearTimeout(timer);
    if (control.signal.aborted || error.name === "AbortError") return undefined;
    place.replaceChildren(trouble(error, again));
    return undefined;
  }
}

function waiting(words) {
  announce(words);
  return h("p", { class: "waiting" }, h("span", { class: "spinner", "aria-hidden": "true" }), words);
}

/** A problem in words, with a button to retry if that can help. */
export function trouble(error, again) {
  const title = error.title ?? "Something went wrong on this page";
  const detail = error.title ? error.detail : error.message;
  const wait = error.retryAfter ? `Try again in about ${error.retryAfter} s.` : "";
  return h("div", { class: "trouble", role: "alert" },
    h("p", { class: "trouble-title" }, title),
    detail || wait ? h("p", {}, [detail, wait].filter(Boolean).join(" ")) : null,
    again ? h("button", { class: "button small", type: "button", onclick: again }, "Try again") : null);
}

export function nothing(title, words) {
  return h("div", { class: "nothing" }, h("p", { class: "nothing-title" }, title), words ? h("p", {}, words) : null);
}
