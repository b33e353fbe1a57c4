/** Navigation that keeps a list of keyphrases and their text in step; on narrow screens by a sheet from below. */

import { announce, h } from "./elements.js";
import { explanation } from "./phrase_list.js";
import { closeSheet, isNarrow, showSheet } from "./sheet.js";

export const PREVIOUS = "M12.5 4.5L7 10l5.5 5.5";
export const NEXT = "M7.5 4.5L13 10l-5.5 5.5";

/** What list and text are asked when a phrase is chosen, its places are walked, or a mark is clicked. `onChoose` gets
    the text of the chosen phrase. */
export function navigation({ onChoose = () => {} } = {}) {
  let list = null;
  let texts = [];
  let keyphrases = [];
  let method = null;
  let phrase = -1;
  let at = 0;

  function go(i, place, options) {
    phrase = i;
    const places = keyphrases[i].spans.length;
    at = places ? (place + places) % places : 0;
    list.choose(i, at);
    for (const text of texts) text.choose(i, at, options);
    if (isNarrow()) sheet(i, places);
    onChoose(keyphrases[i].text);
    if (places) announce(`${keyphrases[i].text}, place ${at + 1} of ${places}`);
    else announce(`${keyphrases[i].text} does not stand in the text`);
  }

  function sheet(i, places) {
    const { before, phrase: words, after } = texts[0].quoteOf?.(i, at) ?? {};
    showSheet(keyphrases[i].text, [
      words ? h("blockquote", { class: "quote" }, before, h("mark", {}, words), after) : null,
      ...explanation(keyphrases[i], { method, onStep: (step) => walk(i, step), count: `${at + 1} of ${places}` }),
    ].filter(Boolean), { onClose: () => { if (isNarrow()) leave(); } });
  }

  function leave() {
    phrase = -1;
    list?.choose(-1, 0);
    for (const text of texts) text.choose(-1, 0);
    onChoose("");
  }

  /** On a narrow screen the list stays in view when a phrase is first chosen in it. */
  function walk(i, step) {
    go(i, phrase === i ? at + step : 0, { scroll: !(isNarrow() && step === 0) });
  }

  return {
    walk,
    /** Navigate these from now on; the phrase `wanted`, or the one that was chosen, is chosen if it is there. */
    bind(newList, newTexts, newKeyphrases, { scoredBy = null, wanted = "" } = {}) {
      const before = keyphrases[phrase]?.text ?? wanted;
      [list, texts, keyphrases, method] = [newList, newTexts, newKeyphrases, scoredBy];
      phrase = keyphrases.findIndex((one) => one.text === before);
      if (phrase < 0) {
        closeSheet();
        return;
      }
      at = Math.min(at, Math.max(0, keyphrases[phrase].spans.length - 1));
      list.choose(phrase, at);
      for (const text of texts) text.choose(phrase, at, { scroll: false });
    },
    pick(i, place) {
      go(i, place, { scroll: false });
    },
    get phrase() { return phrase; },
  };
}
