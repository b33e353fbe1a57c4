/** Phrases of a set as a ranked list: a small bar shows in how many documents each stands, a click its quotes below. */

import { h } from "./elements.js";
import { variants } from "./matrix.js";

/** `aside(keyphrase)` is what stands on the right of a row; `quotes(keyphrase)` gives the elements that open below it.
    `onOpen` gets the text of the phrase that is open, or "". */
export function rankedList({ keyphrases, aside, quotes, label, open = "", onOpen = () => {} }) {
  const rows = keyphrases.map((one) => {
    const more = h("div", { class: "ranked-more quotes-panel", role: "region", "aria-label": `Quotes of ${one.text}`, tabindex: 0, hidden: true });
    const button = h("button", { class: "ranked-phrase", type: "button", "aria-expanded": "false", onclick: () => toggle(row) },
      h("span", { class: "ranked-text" }, one.text, variants(one)), aside(one));
    const row = { one, button, more, item: h("li", {}, button, more) };
    return row;
  });

  function toggle(row, { tell = true } = {}) {
    for (const other of rows) {
      const opens = other === row && other.more.hidden;
      other.more.hidden = !opens;
      other.button.setAttribute("aria-expanded", String(opens));
      other.more.replaceChildren(...(opens ? quotes(other.one) : []));
    }
    if (tell) onOpen(row.more.hidden ? "" : row.one.text);
    if (!row.more.hidden) row.item.scrollIntoView({ block: "nearest" });
  }

  const first = rows.find((row) => row.one.text === open);
  if (first) toggle(first, { tell: false });
  return h("ol", { class: "ranked", "aria-label": label }, rows.map((row) => row.item));
}

/** A bar for a share of documents, with its count in words. */
export function shareBar(count, total, { name = "", kind = "ours" } = {}) {
  return h("span", { class: `share ${kind}${name ? "" : " unnamed"}` },
    name ? h("span", { class: "share-name" }, name) : null,
    h("span", { class: "share-bar", style: { "--share": total ? count / total : 0 }, "aria-hidden": "true" }),
    h("span", { class: "share-count" }, `${count} of ${total}`));
}
