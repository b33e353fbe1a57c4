/** Keyphrases as a list with bars for their scores, and why each was chosen: below it, in a card, or in a sheet. */

import {
  html, IconButton, plural, printed, useEffect, useLayoutEffect, useListener, useRef, useState, useUid,
} from "./elements.js";
import { ReviewRow, verdictOn } from "./review.js";

const MOST_REASONS = 5;
const LINGER = 140; // ms in which the pointer may travel from the phrase to the card

/** Keyphrases of one method with what the list and the text show of their scores: `share` of the best, and `shown`. */
export function measured(keyphrases) {
  const best = Math.max(...keyphrases.map((one) => one.score ?? 0), 0);
  // As many decimals as give the best score three significant digits.
  const places = best > 0 ? Math.min(Math.max(2 - Math.floor(Math.log10(best)), 0), 6) : 2;
  return keyphrases.map((one, i) => ({
    ...one,
    rank: i + 1,
    share: best > 0 ? Math.max(0, one.score / best) : 0,
    shown: printed(one.score, places),
  }));
}

/** The list. Up and down move between phrases; Enter, left and right between the places of one. `at` is the chosen
    phrase and its place, `onWalk(index, step)` is asked to choose one (step 0) or to walk its places (±1);
    `methodOf(keyphrase)` is the method that scored it. With `review`, `{ decided, onDecide }`, rows can be decided. */
export function PhraseList({ keyphrases, at, onWalk, methodOf, narrow, review = null }) {
  const list = useRef();
  const [stop, setStop] = useState(0); // of the tab key
  useEffect(() => setStop(Math.max(0, at.phrase)), [at.phrase]);
  const texts = keyphrases.map((one) => one.text);

  function keys(event) {
    const i = Number(event.target.dataset.phrase);
    const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: texts.length - 1 }[event.key];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (Number.isNaN(i) || (to === undefined && step === undefined)) return;
    event.preventDefault();
    if (step) onWalk(i, at.phrase === i ? step : 0);
    else if (to in texts) {
      setStop(to);
      list.current.querySelector(`.phrase[data-phrase="${to}"]`).focus();
    }
  }

  return html`<ol
    class=${`phrases${review ? " reviewed" : ""}`} aria-label="Keyphrases" ref=${list} onkeydown=${keys}
  >
    ${keyphrases.map((one, i) => {
      const isOpen = at.phrase === i && !narrow;
      const states = [at.phrase === i ? "chosen" : "", review ? verdictOn(review.decided, one.text) : ""];
      return html`<li key=${`${one.side ?? ""} ${one.text}`} class=${states.join(" ").trim()}>
        <${Phrase}
          keyphrase=${one} i=${i} isStop=${stop === i} isOpen=${isOpen} rank=${one.side ? one.rank : i + 1}
          onclick=${() => onWalk(i, at.phrase === i ? 1 : 0)}
        />
        ${review && html`<${ReviewRow} ...${{ texts, i, ...review }} />`}
        ${isOpen && html`<div class="phrase-more">
          <${Explanation}
            keyphrase=${one} place=${at.place} method=${methodOf(one)} onStep=${(step) => onWalk(i, step)}
          />
        </div>`}
      </li>`;
    })}
  </ol>`;
}

function Phrase({ keyphrase, i, isStop, isOpen, rank, onclick }) {
  const { text, present, spans, share = 0, added, shown, note } = keyphrase;
  return html`<button
    class=${`phrase${present ? "" : " absent"}${keyphrase.side ? ` ${keyphrase.side}` : ""}`} type="button"
    tabindex=${isStop ? 0 : -1} aria-expanded=${String(isOpen)} data-phrase=${i} onclick=${onclick}
  >
    <span class="phrase-rank">${rank}</span>
    <span class="phrase-text">${text}
      ${!present && html`<span class="badge">not in the text</span>`}
      ${note && html`<span class="badge">${note}</span>`}
    </span>
    <span class="phrase-times" title=${present ? plural(spans.length, "place") : ""}>
      ${present && `${spans.length}×`}
    </span>
    <span class="phrase-score">${added ? "yours" : [html`<span class="sr-only">score </span>`, shown]}</span>
    <span class="bar" style=${{ "--share": share }} aria-hidden="true" />
  </button>`;
}

/** What is shown of a chosen phrase: its places to walk through, and why it was chosen. */
export function Explanation({ keyphrase, place, method, onStep }) {
  const { present, added, text, spans } = keyphrase;
  const absent = added ? "The text does not contain it." : "The text does not say this; the method wrote it.";
  return html`
    ${present ? html`<div class="walk" role="group" aria-label=${`Places of ${text}`}>
      <${IconButton} label="Previous place" icon="previous" onclick=${() => onStep(-1)} />
      <span class="walk-count">${place + 1} of ${spans.length}</span>
      <${IconButton} label="Next place" icon="next" onclick=${() => onStep(1)} />
    </div>` : html`<p class="why-none">${absent}</p>`}
    <p class="label">Why</p>
    <${Reasons} ...${{ keyphrase, method }} />`;
}

/** The strongest reasons, with the weight of each if the method reports one, and how the method scores. */
function Reasons({ keyphrase, method }) {
  if (keyphrase.added) return html`<p class="why-none">You added this phrase.</p>`;
  const evidence = (keyphrase.evidence ?? []).slice(0, MOST_REASONS);
  const most = Math.max(0, ...evidence.map((one) => Math.abs(one.weight)));
  return html`<div class="reasons">
    ${method && html`<p class="why-score">${scoreInWords(keyphrase.score, method)}</p>`}
    <ul class="why">
      ${evidence.map(({ words, weight }) => html`<li>
        ${most > 0 && html`<${Weight} value=${weight} most=${most} />`}<span>${words}</span>
      </li>`)}
    </ul>
    ${!most && method && html`<p class="why-none">How ${method.name} scores: ${method.summary}</p>`}
  </div>`;
}

/** What a score means, by the scale of its method. */
function scoreInWords(score, { scale, name }) {
  if (scale !== "probability") return `Its score says something only beside the other scores of ${name}.`;
  const percent = score >= 0.995 ? "over 99" : score < 0.01 ? "under 1" : Math.round(100 * score);
  return `An editor of such a text would choose it with a likelihood of ${percent}%.`;
}

function Weight({ value, most }) {
  return html`<span class=${`why-weight${value < 0 ? " against" : ""}`} style=${{ "--share": Math.abs(value) / most }}>
    <span class="sr-only">${value > 0 ? "raises" : "lowers"} the score: </span>
    ${(value > 0 ? "+" : "−") + printed(Math.abs(value), 2)}
  </span>`;
}

/** A card with the reasons of the phrase whose row or mark, inside the element `root`, is hovered or focused.
    `keyphraseOf(target)` is the phrase, or null where its reasons are shown already. */
export function HoverCard({ root, keyphraseOf, methodOf }) {
  const id = useUid("why");
  const card = useRef();
  const timer = useRef(0);
  const [target, setTarget] = useState(null);

  const show = (next) => {
    clearTimeout(timer.current);
    setTarget(next);
  };
  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTarget(null), LINGER);
  };
  const found = (event) => {
    const one = event.target.closest("button.phrase, mark");
    return one && keyphraseOf(one) ? one : null;
  };
  useListener(root, "pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const one = found(event);
    if (one) show(one);
    else if (card.current.contains(event.target)) clearTimeout(timer.current);
    else if (target) later();
  });
  useListener(root, "pointerleave", later);
  useListener(root, "focusin", (event) => show(event.target.matches(":focus-visible") ? found(event) : null));
  useListener(root, "focusout", later);
  useListener(window, "keydown", (event) => event.key === "Escape" && show(null));
  useListener(window, "scroll", () => target && show(null));

  useLayoutEffect(() => {
    if (!target) return undefined;
    if (target.matches("button")) target.setAttribute("aria-describedby", id);
    place(card.current, target);
    return () => target.removeAttribute("aria-describedby");
  }, [target]);

  const keyphrase = target?.isConnected && keyphraseOf(target);
  return html`<div class="card hover-card" role="tooltip" id=${id} ref=${card} hidden=${!keyphrase}>
    ${keyphrase && html`
      <p class="hover-title">${keyphrase.text}</p>
      <${Reasons} keyphrase=${keyphrase} method=${methodOf(keyphrase)} />`}
  </div>`;
}

/** Left of a row of the list, so that its neighbours stay in sight; else below the target if there is room, or above;
    never beyond the edges of the window. */
function place(card, target) {
  const box = target.getClientRects()[0] ?? target.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const aside = target.matches("button") && box.left - width > 16;
  const left = aside ? box.left - width - 8 : Math.max(8, Math.min(box.left, innerWidth - width - 8));
  const below = box.bottom + height + 12 < innerHeight ? box.bottom + 6 : Math.max(8, box.top - height - 6);
  const top = aside ? Math.max(8, Math.min(box.top, innerHeight - height - 8)) : below;
  card.style.setProperty("left", `${left}px`);
  card.style.setProperty("top", `${top}px`);
}

/** A sheet that rises from below, on narrow screens; the page behind it stays usable. */
export function Sheet({ title, onClose, children }) {
  const element = useRef();
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--sheet", `${element.current.offsetHeight}px`);
  });
  useEffect(() => () => document.documentElement.style.removeProperty("--sheet"), []);
  useListener(window, "keydown", (event) => event.key === "Escape" && onClose());
  return html`<section class="sheet" role="region" aria-label=${title} ref=${element}>
    <div class="sheet-head">
      <h2>${title}</h2>
      <${IconButton} label="Close" icon="cross" onclick=${onClose} />
    </div>
    <div class="sheet-body" tabindex="0">${children}</div>
  </section>`;
}
