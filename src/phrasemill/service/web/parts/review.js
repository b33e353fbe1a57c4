/** What a reader decides about the phrases of a document: accepted, refused, added, and their order. */

import { html, IconButton, useState } from "./elements.js";
import { contains } from "./spans.js";

export const UNDECIDED = { verdicts: {}, added: [], order: [] };
const keyOf = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

/** "accepted", "refused" or "". */
export function verdictOn(decided, text) {
  return decided.verdicts[keyOf(text)] ?? "";
}

/** Decide, or take the same decision back. */
function decide(decided, text, verdict) {
  const { [keyOf(text)]: before, ...others } = decided.verdicts;
  return { ...decided, verdicts: before === verdict ? others : { ...others, [keyOf(text)]: verdict } };
}

function add(decided, text) {
  const clean = text.replace(/\s+/g, " ").trim();
  const isNew = !decided.added.some((one) => keyOf(one) === keyOf(clean));
  const verdicts = { ...decided.verdicts, [keyOf(clean)]: "accepted" };
  return { ...decided, verdicts, added: isNew ? [...decided.added, clean] : decided.added };
}

/** Move the phrase at `from` of the shown `texts` by `step` places. */
function move(decided, texts, from, step) {
  const order = texts.map(keyOf);
  order.splice(from + step, 0, ...order.splice(from, 1));
  return { ...decided, order };
}

/** The phrases to show: those that were found and those that were added, in the reader's order. Refused ones are shown
    only while they are reviewed. */
export function applied(decided, keyphrases, content, { reviewing }) {
  const found = new Set(keyphrases.map((one) => keyOf(one.text)));
  const own = decided.added.filter((one) => !found.has(keyOf(one))).map((text) => {
    const spans = contains(content, text);
    return { text, score: null, spans, present: spans.length > 0, evidence: [], added: true };
  });
  const place = ({ text }) => {
    const at = decided.order.indexOf(keyOf(text));
    return at < 0 ? decided.order.length : at;
  };
  return [...keyphrases, ...own]
    .filter((one) => reviewing || verdictOn(decided, one.text) !== "refused")
    .sort((a, b) => place(a) - place(b));
}

/** The accepted phrases among those shown. */
export function acceptedOf(decided, keyphrases) {
  return keyphrases.filter((one) => verdictOn(decided, one.text) === "accepted").map((one) => one.text);
}

/** Refused phrases, which are left out of the next answer. */
export function refusedOf(decided) {
  return Object.keys(decided.verdicts).filter((one) => decided.verdicts[one] === "refused");
}

/** A line of JSON as `phrasemill evaluate` reads gold. */
export function goldLine(id, keyphrases) {
  return `${JSON.stringify({ id, keyphrases })}\n`;
}

/** The buttons beside phrase `i` of those shown: accept, refuse, up, down. */
export function ReviewRow({ texts, i, decided, onDecide }) {
  const text = texts[i];
  const verdict = verdictOn(decided, text);
  const button = (label, icon, next, more) => html`<${IconButton}
    label=${`${label} ${text}`} title=${label} icon=${icon} size=${15} small ...${more}
    onclick=${({ currentTarget }) => {
      onDecide(next());
      requestAnimationFrame(() => currentTarget.focus()); // a row that is moved loses it
    }}
  />`;
  const pressed = (one) => ({ "aria-pressed": String(verdict === one) });
  return html`<div class="review-row" role="group" aria-label=${`Decide about ${text}`}>
    ${button("Accept", "accept", () => decide(decided, text, "accepted"), pressed("accepted"))}
    ${button("Refuse", "cross", () => decide(decided, text, "refused"), pressed("refused"))}
    ${button("Move up", "up", () => move(decided, texts, i, -1), { disabled: i === 0 })}
    ${button("Move down", "down", () => move(decided, texts, i, 1), { disabled: i === texts.length - 1 })}
  </div>`;
}

/** A field to add a phrase of one's own, and a button that accepts all that are undecided. */
export function ReviewFoot({ texts, decided, onDecide }) {
  const [text, setText] = useState("");
  const undecided = texts.filter((one) => !verdictOn(decided, one));

  function submit(event) {
    event.preventDefault();
    if (text.trim()) onDecide(add(decided, text));
    setText("");
  }

  const acceptRest = () => onDecide(undecided.reduce((before, one) => decide(before, one, "accepted"), decided));
  return html`<form class="review-foot" onsubmit=${submit}>
    <label class="sr-only" for="add-phrase">A phrase to add</label>
    <input
      type="text" id="add-phrase" placeholder="Add a phrase" maxlength="200"
      value=${text} oninput=${(event) => setText(event.currentTarget.value)}
    />
    <button class="button small">Add</button>
    ${undecided.length > 0 && html`<button class="button quiet small" type="button" onclick=${acceptRest}>
      Accept the rest
    </button>`}
  </form>`;
}
