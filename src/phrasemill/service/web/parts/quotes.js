/** The occurrences of a phrase, in context. */

import { h, plural } from "./elements.js";
import { offsets, quote } from "./spans.js";

const MOST = 8;

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
