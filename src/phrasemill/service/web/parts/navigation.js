/** Navigation that keeps a list of keyphrases and their text in step. */

import { announce, h, icon } from "./elements.js";

export const PREVIOUS = "M12.5 4.5L7 10l5.5 5.5";
export const NEXT = "M7.5 4.5L13 10l-5.5 5.5";
const UP = "M4.5 12.5L10 7l5.5 5.5";

/** What list and text are asked when a phrase is chosen, its places are walked, or a mark is clicked. `bar` is for
    narrow screens, where `place`, which has the list, is out of sight while one walks through the text. */
export function navigation({ place: home }) {
  let list = null;
  let text = null;
  let keyphrases = [];
  let phrase = -1;
  let at = 0;
  const name = h("span", { class: "walk-bar-text" });
  const count = h("span", { class: "walk-count" });
  const button = (label, path, onclick) => h("button", { class: "icon-button", type: "button", "aria-label": label, onclick }, icon(path));
  const bar = h("div", { class: "walk-bar", role: "group", "aria-label": "Walk through the text", hidden: true }, name,
    button("Previous place in the text", PREVIOUS, () => walk(phrase, -1)), count,
    button("Next place in the text", NEXT, () => walk(phrase, 1)),
    button("Back to the keyphrases", UP, () => home.scrollIntoView({ block: "start" })));
  new IntersectionObserver(([seen]) => bar.classList.toggle("idle", seen.isIntersecting)).observe(home);

  function go(i, place, options) {
    phrase = i;
    const places = keyphrases[i].spans.length;
    at = places ? (place + places) % places : 0;
    list.choose(i, at);
    text.choose(i, at, options);
    bar.hidden = !places;
    name.textContent = keyphrases[i].text;
    count.textContent = `${at + 1} of ${places}`;
    if (places) announce(`${keyphrases[i].text}, place ${at + 1} of ${places}`);
    else announce(`${keyphrases[i].text} does not stand in the text`);
  }

  function walk(i, step) {
    go(i, phrase === i ? at + step : 0);
  }

  return {
    bar,
    walk,
    /** Navigate these from now on; the chosen phrase stays chosen if it is still there. */
    bind(newList, newText, newKeyphrases) {
      const before = keyphrases[phrase]?.text;
      [list, text, keyphrases] = [newList, newText, newKeyphrases];
      phrase = keyphrases.findIndex((one) => one.text === before);
      bar.hidden = phrase < 0;
      if (phrase < 0) return;
      at = Math.min(at, Math.max(0, keyphrases[phrase].spans.length - 1));
      list.choose(phrase, at);
      text.choose(phrase, at, { scroll: false });
    },
    pick(i, start) {
      go(i, text.placeAt(i, start), { scroll: false });
    },
    get phrase() { return phrase; },
  };
}
