/** The buttons beside a phrase while its list is reviewed: accept, refuse, up, down. */

import { h, icon } from "./elements.js";

const CHECK = "M4.5 10.5l3.5 3.5 7.5-8";
const CROSS = "M5.5 5.5l9 9m0-9l-9 9";
const UP = "M10 15.5v-11m0 0L5.5 9M10 4.5L14.5 9";
const DOWN = "M10 4.5v11m0 0L5.5 11M10 15.5l4.5-4.5";

/** `review` has `of`, `decide` and `move`; `texts` are the phrases as they are shown. */
export function reviewRow(texts, i, review) {
  const text = texts[i];
  const verdict = review.of(text);
  const button = (label, path, onclick, more = {}) =>
    h("button", { class: "icon-button small", type: "button", "aria-label": `${label} ${text}`, title: label, onclick, ...more }, icon(path, { size: 15 }));
  return h("div", { class: "review-row", role: "group", "aria-label": `Decide about ${text}` },
    button("Accept", CHECK, () => review.decide(text, "accepted"), { "aria-pressed": String(verdict === "accepted"), data: { focus: `accept:${text}` } }),
    button("Refuse", CROSS, () => review.decide(text, "refused"), { "aria-pressed": String(verdict === "refused"), data: { focus: `refuse:${text}` } }),
    button("Move up", UP, () => review.move(texts, i, -1), { disabled: i === 0, data: { focus: `up:${text}` } }),
    button("Move down", DOWN, () => review.move(texts, i, 1), { disabled: i === texts.length - 1, data: { focus: `down:${text}` } }));
}

/** A field to add a phrase of one's own, and a button that accepts all that are undecided. */
export function reviewFoot(texts, review) {
  const field = h("input", { type: "text", id: "add-phrase", placeholder: "Add a phrase", maxlength: 200, data: { focus: "add" } });
  const undecided = texts.filter((one) => !review.of(one));
  return h("form", { class: "review-foot", onsubmit: (event) => { event.preventDefault(); if (field.value.trim()) review.add(field.value); } },
    h("label", { class: "sr-only", for: field.id }, "A phrase to add"), field,
    h("button", { class: "button small" }, "Add"),
    undecided.length ? h("button", { class: "button quiet small", type: "button", onclick: () => review.acceptAll(undecided) }, "Accept the rest") : null);
}
