/** What a reader decides about the phrases of a document: accepted, refused, added, and their order. */

import { contains } from "./spans.js";

const keyOf = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

/** `saved` is what `saved()` returned before; `onChange` is called after every decision. */
export function choices(saved, onChange = () => {}) {
  const { verdicts, added, order } = { verdicts: {}, added: [], order: [], ...saved };
  let ordered = order;

  function changed(work) {
    work();
    onChange();
  }

  return {
    /** "accepted", "refused" or "". */
    of: (text) => verdicts[keyOf(text)] ?? "",
    /** Decide, or take the same decision back. */
    decide: (text, verdict) => changed(() => {
      if (verdicts[keyOf(text)] === verdict) delete verdicts[keyOf(text)];
      else verdicts[keyOf(text)] = verdict;
    }),
    acceptAll: (texts) => changed(() => { for (const text of texts) verdicts[keyOf(text)] ??= "accepted"; }),
    add: (text) => changed(() => {
      const clean = text.replace(/\s+/g, " ").trim();
      if (!added.some((one) => keyOf(one) === keyOf(clean))) added.push(clean);
      verdicts[keyOf(clean)] = "accepted";
    }),
    /** Move the phrase at `from` of the shown `texts` by `step` places. */
    move: (texts, from, step) => changed(() => {
      const to = from + step;
      if (to < 0 || to >= texts.length) return;
      ordered = texts.map(keyOf);
      ordered.splice(to, 0, ...ordered.splice(from, 1));
    }),
    /** The phrases to show: those that were found and those that were added, in the reader's order. */
    applied(keyphrases, content) {
      const found = new Set(keyphrases.map((one) => keyOf(one.text)));
      const own = added.filter((one) => !found.has(keyOf(one))).map((text) => {
        const spans = contains(content, text);
        return { text, score: null, spans, present: spans.length > 0, evidence: [], added: true };
      });
      const place = (one) => { const at = ordered.indexOf(keyOf(one.text)); return at < 0 ? ordered.length : at; };
      return [...keyphrases, ...own].map((one, i) => [one, i]).sort(([a, i], [b, j]) => place(a) - place(b) || i - j).map(([one]) => one);
    },
    /** The accepted phrases among those shown. */
    accepted: (keyphrases) => keyphrases.filter((one) => verdicts[keyOf(one.text)] === "accepted").map((one) => one.text),
    /** Refused phrases, which are left out of the next answer. */
    refused: () => Object.keys(verdicts).filter((one) => verdicts[one] === "refused"),
    saved: () => ({ verdicts, added, order: ordered }),
    get any() { return Object.keys(verdicts).length > 0; },
  };
}

/** A line of JSON as `phrasemill evaluate` reads gold. */
export function goldLine(id, keyphrases) {
  return `${JSON.stringify({ id, keyphrases })}\n`;
}
