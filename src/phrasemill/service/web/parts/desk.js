/** A document on a desk: the bar, its keyphrases, and its text with them marked. */

import { call } from "./api.js";
import { ControlBar, requested } from "./controls.js";
import { payload } from "./documents.js";
import { announce, html, Icon, plural, useEffect, useMemo, useNarrow, useRef, useState } from "./elements.js";
import { ExportMenu, phraseFormats, tableFormats } from "./exports.js";
import { nameOf, useMethods } from "./methods.js";
import { Explanation, HoverCard, measured, PhraseList, Sheet } from "./phrases.js";
import { Pages, placesIn, Reader } from "./reader.js";
import { acceptedOf, applied, goldLine, refusedOf, ReviewFoot, UNDECIDED, verdictOn } from "./review.js";
import { countWords, quote } from "./spans.js";
import { Nothing, Status, useTask } from "./status.js";

const WAYS = ["Text", "Pages", "Both"]; // of reading a PDF
const HEADER = ["id", "rank", "text", "score", "present", "start", "end"];

/** The line above a text: back, its name, its length. */
export function TextHeader({ document, words, onBack }) {
  return html`<div class="paper-line">
    <button class="button quiet small back" type="button" onclick=${onBack}><${Icon} name="back" />${words}</button>
    <p class="paper-name">${document.name}</p>
    <p class="paper-size">${plural(countWords(document.content), "word")}</p>
  </div>`;
}

/** `chosen` are the settings and `phrase` is the chosen phrase; `onChange` gets what is to be changed in the settings,
    `onPhrase` the phrase. `decided` is what was decided about phrases; `onDecide` gets it, and the accepted phrases,
    when it changes. `found` is an answer that is there already. */
export function Desk({ document, chosen, phrase, found = null, decided = UNDECIDED, onChange, onPhrase, onDecide }) {
  const task = useTask();
  const [answers, setAnswers] = useState(found ? [found] : null);
  const [known, setKnown] = useState({});
  const [reviewing, setReviewing] = useState(false);
  const [walk, setWalk] = useState({ place: 0, scroll: false });
  const [way, setWay] = useState(WAYS[0]);
  const desk = useRef();
  const isFound = useRef(Boolean(found));
  const narrow = useNarrow();
  const { usable } = useMethods();

  const settings = requested({ ...chosen, known });
  useEffect(() => {
    if (!isFound.current) find();
    isFound.current = false;
  }, [JSON.stringify([settings, chosen.language, chosen.second])]);

  async function find() {
    const methods = [chosen.method, chosen.second].filter(Boolean);
    const exclude = refusedOf(decided);
    const given = exclude.length ? { ...settings, exclude } : settings;
    const ask = (signal) =>
      Promise.all(methods.map((method) => extract(document, { ...given, method }, chosen.language, signal)));
    const next = await task.run("Finding keyphrases", ask, find);
    if (!next) return;
    setAnswers(next);
    announce(`${plural(next[0].keyphrases.length, "keyphrase")} found`);
  }

  const all = useMemo(() => (answers ? together(answers) : []), [answers]);
  const shown = useMemo(
    () => applied(decided, all, document.content, { reviewing }),
    [all, decided, reviewing, document],
  );
  const places = useMemo(() => placesIn(document.content, shown), [document, shown]);
  const chosenAt = shown.findIndex((one) => one.text === phrase);
  const count = places[chosenAt]?.length ?? 0;
  const at = useMemo(
    () => ({ phrase: chosenAt, place: Math.min(walk.place, Math.max(0, count - 1)), walk }),
    [chosenAt, walk, count],
  );
  const methodOf = ({ side }) => {
    const { method } = answers[side === "second" ? 1 : 0];
    return usable.find((one) => one.name === nameOf(method)) ?? null;
  };

  function choose(i, place, scroll) {
    const length = places[i].length;
    const next = length ? (place + length) % length : 0;
    setWalk({ place: next, scroll });
    onPhrase(shown[i].text);
    announce(`${shown[i].text}${length ? `, place ${next + 1} of ${length}` : " does not stand in the text"}`);
  }

  /** On a narrow screen the list stays in view when a phrase is first chosen in it. */
  function step(i, by) {
    choose(i, i === at.phrase ? at.place + by : 0, !(narrow && by === 0));
  }

  const pick = (i, place) => choose(i, place, false);
  const leave = () => onPhrase("");
  const accepted = acceptedOf(decided, shown);
  const decide = (next) => onDecide(next, acceptedOf(next, applied(next, all, document.content, { reviewing: true })));
  const change = ({ known: words, ...changes }) => (words ? setKnown(words) : onChange(changes));
  const isSplit = document.pages && way === "Both";
  const withText = !document.pages || way !== "Pages";
  const language = answers?.[0].language;

  return html`
    <${ControlBar} chosen=${chosen} onChange=${change} found=${language} onDesk>
      ${answers && html`<${ExportMenu} name=${document.name} formats=${formats(document, answers, shown, decided)} />`}
    <//>
    <div class=${`desk${isSplit ? " wide" : ""}`} ref=${desk}>
      <section class="desk-side card" aria-label="Keyphrases">
        <div class="panel-head">
          <h2>Keyphrases</h2>
          <span class="review-count">
            ${Object.keys(decided.verdicts).length > 0 && `${accepted.length} accepted`}
          </span>
          <button
            class="button quiet small" type="button" aria-pressed=${String(reviewing)}
            onclick=${() => setReviewing(!reviewing)}
          >Review</button>
        </div>
        <${Status} task=${task} old=${shown.length > 0} />
        <div class=${`result${task.failed && shown.length ? " stale" : ""}`}>
          ${answers?.length > 1 && html`<${Agreement} keyphrases=${all} second=${nameOf(answers[1].method)} />`}
          ${shown.length > 0 && html`<${PhraseList}
            keyphrases=${shown} at=${at} onWalk=${step} methodOf=${methodOf} narrow=${narrow}
            review=${reviewing ? { decided, onDecide: decide } : null}
          />`}
          ${answers && !shown.length && html`<${Nothing} title="No keyphrases">
            This method finds none in this text. Try another method, or a longer text.
          <//>`}
        </div>
        ${reviewing && html`<${ReviewFoot}
          texts=${shown.map((one) => one.text)} decided=${decided} onDecide=${decide}
        />`}
      </section>
      <div class=${`desk-text card${isSplit ? " both" : ""}`}>
        ${document.pages && html`<div class="segments reading" role="group" aria-label="Show">
          ${WAYS.map((one) => html`<button
            class=${`segment${one === "Both" ? " wide-only" : ""}`} type="button" aria-pressed=${String(way === one)}
            onclick=${() => setWay(one)}
          >${one}</button>`)}
        </div>`}
        <${Reader}
          ...${{ document, language, places, at }} keyphrases=${shown} hidden=${!withText} onPick=${pick}
        />
        ${document.pages && way !== "Text" && html`<${Pages}
          ...${{ document, at }} keyphrases=${shown} onPick=${pick}
        />`}
      </div>
      ${!narrow && html`<${HoverCard}
        root=${desk} methodOf=${methodOf}
        keyphraseOf=${({ tagName, dataset }) => {
          const i = Number(dataset.phrase);
          return tagName === "BUTTON" && i === at.phrase ? null : shown[i];
        }}
      />`}
      ${narrow && at.phrase >= 0 && html`<${Sheet} title=${phrase} onClose=${leave}>
        ${count > 0 && html`<${Quote} content=${document.content} place=${places[at.phrase][at.place]} />`}
        <${Explanation}
          keyphrase=${shown[at.phrase]} place=${at.place} method=${methodOf(shown[at.phrase])}
          onStep=${(by) => step(at.phrase, by)}
        />
      <//>`}
    </div>`;
}

/** Ask for the keyphrases of one document. */
async function extract(document, settings, language, signal) {
  const given = { ...payload(document), ...(language ? { language } : {}) };
  const answer = await call("v1/extract", { json: { documents: [given], ...settings, explain: true }, signal });
  const [found] = answer.documents;
  return { id: document.id, language: found.language, method: answer.method, keyphrases: found.keyphrases };
}

/** The phrases of one answer; or of two, in one list: those of the first in its order, then those that only the second
    has. Two phrases are the same if they have the same words or begin at the same place. */
function together([first, second]) {
  const ours = measured(first.keyphrases);
  if (!second) return ours;
  const theirs = measured(second.keyphrases);
  const words = (one) => one.text.toLowerCase().replace(/\s+/g, " ");
  const isSame = (one, other) => words(one) === words(other)
    || (one.spans.length > 0 && String(one.spans[0]) === String(other.spans[0]));
  const twinOf = (one, others) => others.find((other) => isSame(one, other));
  return [
    ...ours.map((one) => {
      const twin = twinOf(one, theirs);
      return { ...one, side: twin ? "both" : "first", note: twin && `no. ${twin.rank} there` };
    }),
    ...theirs.filter((one) => !twinOf(one, ours))
      .map((one) => ({ ...one, side: "second", note: `only ${nameOf(second.method)}` })),
  ];
}

/** How far two methods agree, and how the text shows it. */
function Agreement({ keyphrases, second }) {
  const number = (side) => keyphrases.filter((one) => one.side === side).length;
  const agreed = number("both");
  const of = agreed + Math.max(number("first"), number("second"));
  return html`<div class="agreement">
    <p><strong>${agreed} of ${of}</strong> ${agreed === 1 ? "phrase is" : "phrases are"} found by both.</p>
    <p class="legend">
      <mark class="both">both</mark><mark class="first">only the first</mark><mark class="second">only ${second}</mark>
    </p>
  </div>`;
}

function Quote({ content, place: [start, end] }) {
  const { before, phrase, after } = quote(content, start, end);
  return html`<blockquote class="quote">${before}<mark>${phrase}</mark>${after}</blockquote>`;
}

/** The formats of what is shown, in the shapes of the command. */
function formats(document, answers, shown, decided) {
  const kept = shown.filter((one) => verdictOn(decided, one.text) !== "refused");
  const gold = () => goldLine(document.id, acceptedOf(decided, shown));
  const cells = (one, i) => [document.id, i + 1, one.text, one.score, one.present, ...(one.spans[0] ?? ["", ""])];
  const methods = answers.map(({ method }) => method);
  const plain = ({ rank, share, shown: words, side, note, ...one }) => (side ? { ...one, side } : one);
  return [
    ...(answers.length > 1
      ? tableFormats([...HEADER, "side"], kept.map((one, i) => [...cells(one, i), one.side]),
        { id: document.id, methods, keyphrases: kept.map(plain) })
      : tableFormats(HEADER, kept.map(cells), { id: document.id, method: methods[0], keyphrases: kept.map(plain) })),
    ...phraseFormats(kept.map((one) => one.text)),
    ...(Object.keys(decided.verdicts).length
      ? [{ label: "Gold (JSON lines)", extension: "jsonl", render: gold }] : []),
  ];
}
