/** Keyphrases with bars for their scores. Up and down move between them; Enter, left and right move between occurrences. */

import { h, icon, plural, printed } from "./elements.js";
import { NEXT, PREVIOUS } from "./navigation.js";
import { reasons } from "./reasons.js";
import { reviewRow } from "./review_row.js";
import { isNarrow } from "./sheet.js";

/** A list. `onWalk(index, step)` is asked for when a phrase is chosen (step 0) or its places are walked (±1);
    `note(index)` may add an element to a row; `method` is the one that scored them; with `review` rows have its buttons. */
export function phraseList({ keyphrases, onWalk, note = () => null, label = "Keyphrases", expands = true, method = null, review = null }) {
  const best = Math.max(...keyphrases.map((one) => one.score ?? 0), 0);
  const places = decimals(best);
  const texts = keyphrases.map((one) => one.text);
  const rows = keyphrases.map((one, i) => row(one, i));
  const list = h("ol", { class: `phrases${review ? " reviewed" : ""}`, "aria-label": label, onkeydown: keys }, rows.map((one) => one.item));
  let chosen = -1;

  function row(keyphrase, i) {
    const share = best > 0 ? Math.max(0, (keyphrase.score ?? 0) / best) : 0;
    const more = h("div", { class: "phrase-more", hidden: true });
    const button = h("button", {
      class: `phrase ${keyphrase.present ? "" : "absent"}`, type: "button", tabindex: i ? -1 : 0,
      "aria-expanded": expands ? "false" : null, data: { phrase: i }, onclick: () => onWalk(i, chosen === i ? 1 : 0),
    },
      h("span", { class: "phrase-rank" }, `${i + 1}`),
      h("span", { class: "phrase-text" }, keyphrase.text, keyphrase.present ? null : h("span", { class: "badge" }, "not in the text"), note(i)),
      keyphrase.present ? h("span", { class: "phrase-times", title: plural(keyphrase.spans.length, "place") }, `${keyphrase.spans.length}×`) : h("span"),
      h("span", { class: "phrase-score" }, keyphrase.added ? "yours" : [h("span", { class: "sr-only" }, "score "), printed(keyphrase.score, places)]),
      h("span", { class: "bar", style: { "--share": share }, "aria-hidden": "true" }));
    return { item: h("li", { class: review?.of(keyphrase.text) ?? "" }, button, review ? reviewRow(texts, i, review) : null, more), button, more };
  }

  function keys(event) {
    const at = rows.findIndex((one) => one.button === event.target);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (to === undefined && step === undefined) return;
    event.preventDefault();
    if (step !== undefined) onWalk(at, chosen === at ? step : 0);
    else if (rows[to]) focus(to);
  }

  function focus(i) {
    rows.forEach((one, j) => { one.button.tabIndex = i === j ? 0 : -1; });
    rows[i].button.focus();
  }

  /** Show phrase `i` as the chosen one, at its place number `at`. */
  function choose(i, at) {
    if (chosen !== i) {
      if (rows[chosen]) close(rows[chosen]);
      chosen = i;
      if (rows[i]) open(rows[i], keyphrases[i], i);
      rows.forEach((one, j) => { one.button.tabIndex = (i < 0 ? 0 : i) === j ? 0 : -1; });
    }
    const count = rows[i]?.more.querySelector(".walk-count");
    if (count) count.textContent = `${at + 1} of ${keyphrases[i].spans.length}`;
  }

  function close({ item, button, more }) {
    item.classList.remove("chosen");
    if (expands) button.setAttribute("aria-expanded", "false");
    more.hidden = true;
    more.replaceChildren();
  }

  function open({ item, button, more }, keyphrase, i) {
    item.classList.add("chosen");
    if (!expands || isNarrow()) return;
    button.setAttribute("aria-expanded", "true");
    more.hidden = false;
    more.replaceChildren(...explanation(keyphrase, { method, onStep: (step) => onWalk(i, step) }));
  }

  return { element: list, choose, focus };
}

/** What is shown of a chosen phrase: its places to walk through, and why it was chosen. */
export function explanation(keyphrase, { method, onStep, count = "" }) {
  const walk = h("div", { class: "walk", role: "group", "aria-label": `Places of ${keyphrase.text}` },
    h("button", { class: "icon-button", type: "button", "aria-label": "Previous place", onclick: () => onStep(-1) }, icon(PREVIOUS)),
    h("span", { class: "walk-count" }, count),
    h("button", { class: "icon-button", type: "button", "aria-label": "Next place", onclick: () => onStep(1) }, icon(NEXT)));
  const absent = keyphrase.added ? "The text does not contain it." : "The text does not say this; the method wrote it.";
  return [keyphrase.present ? walk : h("p", { class: "why-none" }, absent),
    h("p", { class: "label" }, "Why"), reasons(keyphrase, { method })];
}

/** Return as many decimals as give the best score three significant digits. */
export function decimals(best) {
  return best > 0 ? Math.min(Math.max(2 - Math.floor(Math.log10(best)), 0), 6) : 2;
}
