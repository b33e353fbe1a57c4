/** The occurrences of a phrase, in context. */

import { h, plural } from "./elements.js";
import { offsets, quote } from "./spans.js";

const MOST = 8; // quotes of one document
const DOCUMENTS = 20; // with quotes at first

/** The element that shows quotes, and a hint before. It may scroll, so the keyboard must reach it. */
export function quotesPanel(hint) {
  return h("div", { class: "card quotes-panel", role: "region", "aria-label": "Quotes", "aria-live": "polite", tabindex: 0 },
    h("p", { class: "hint" }, hint));
}

/** The occurrences `spans` in a document as quotes. */
export function quotes(document, spans) {
  const unit = offsets(document.content);
  const items = spans.slice(0, MOST).map(([start, end]) => {
    const { before, phrase, after } = quote(document.content, unit(start), unit(end));
    return h("blockquote", { class: "quote" }, before, h("mark", {}, phrase), after);
  });
  const more = spans.length - MOST;
  return h("div", { class: "quotes" },
    h("h3", { class: "quotes-name" }, document.name),
    items,
    more > 0 ? h("p", { class: "hint" }, `and ${plural(more, "more place")}`) : null);
}

/** Quotes of a phrase of a set from the documents that mention it; of many documents the first at first. */
export function quotesOf(keyphrase, documents, { only = null, most = DOCUMENTS } = {}) {
  const byId = new Map(documents.map((one) => [one.id, one]));
  const mentions = keyphrase.mentions.filter((one) => only === null || one.document === only);
  const shown = mentions.slice(0, most).map((one) => quotes(byId.get(one.document), one.spans));
  const rest = mentions.length - shown.length;
  const more = h("button", { class: "button small", type: "button", onclick: () => more.replaceWith(...quotesOf({ mentions: mentions.slice(most) }, documents, { most })) },
    `Quotes of ${plural(rest, "more document")}`);
  return rest > 0 ? [...shown, more] : shown;
}
