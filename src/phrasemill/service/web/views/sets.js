/** Sets of documents: what one has in common, and what sets two apart. Each phrase opens its quotes below it. */

import { keep, keptUnder, useAddress, write } from "../parts/address.js";
import { call } from "../parts/api.js";
import { Amount, ControlBar, requested, settingsFrom, settingsQuery } from "../parts/controls.js";
import { payload } from "../parts/documents.js";
import { announce, html, plural, printed, useEffect, useRef, useState } from "../parts/elements.js";
import { EXAMPLE_OTHER_SET, EXAMPLE_SET } from "../parts/examples.js";
import { ExportMenu, phraseFormats, tableFormats } from "../parts/exports.js";
import { Collection } from "../parts/intake.js";
import { offsets, quote } from "../parts/spans.js";
import { Nothing, Status, useTask } from "../parts/status.js";

const DEFAULTS = { method: "consensus", top: 15 };
const NAMES = ["Set A", "Set B"];
const EXAMPLES = [EXAMPLE_SET, EXAMPLE_OTHER_SET];
const TOP = 8; // phrases of each set of a contrast
const MOST_TOP = 30;
const MOST_QUOTES = 8; // of one document
const MOST_DOCUMENTS = 20; // with quotes at first
const CERTAIN = 0.05; // of the false-discovery rate
const SET_HEADER = ["rank", "text", "score", "documents", "total"];
const CONTRAST_HEADER = [
  "set", "rank", "text", "documents", "total", "other_documents", "other_total", "effect", "p", "q",
];

/** `given` are files that were dropped outside of the box. */
export function SetView({ given }) {
  const { query } = useAddress("set");
  const task = useTask();
  const [found, setFound] = useState(null); // an answer and its documents
  const key = query.doc ?? "";
  const kept = key === "example" ? EXAMPLE_SET : keptUnder(key)?.content;
  const documents = kept ?? [];
  const chosen = settingsFrom(query, DEFAULTS);
  const remember = (changes) => {
    const next = { doc: key, phrase: query.phrase, ...settingsQuery(chosen), ...changes };
    write("set", { query: next.doc ? next : {} });
  };
  const put = (all) => remember({ doc: all.length ? keep(all) : "" });
  useEffect(() => {
    if (documents.length > 1) find();
    else setFound(null);
  }, [key, JSON.stringify(requested(chosen))]);

  async function find() {
    const json = { documents: documents.map(payload), ...requested(chosen) };
    const words = `Reading ${plural(documents.length, "document")} together`;
    const answer = await task.run(words, (signal) => call("v1/sets", { json, signal }), find);
    if (!answer) return;
    setFound({ answer, documents });
    announce(`${plural(answer.keyphrases.length, "phrase")} of the set`);
  }

  const shown = found && documents.length > 1;
  return html`<div class=${documents.length ? "filled" : ""}>
    ${key && !kept && html`<${NotHere} />`}
    <div class="hero">
      <h1>What do they have in common?</h1>
      <p class="lead">
        Drop several files or a folder. You get the phrases of the whole set, which document says which, and the quotes.
      </p>
    </div>
    <${Collection}
      name="Your set" label="Texts to add to the set" ...${{ documents, given }} folded=${shown}
      onChange=${put} onExample=${() => remember({ doc: "example" })}
    />
    ${documents.length === 1 && html`<${Nothing} title="One document so far">A set has at least two; add another.<//>`}
    ${documents.length > 1 && html`<div class="controls">
      <${ControlBar}
        chosen=${chosen} among="sets" onChange=${(changes) => remember(settingsQuery({ ...chosen, ...changes }))}
      >
        ${found && html`<${ExportMenu} name="set" formats=${setFormats(found)} />`}
      <//>
    </div>`}
    <${Status} task=${task} old=${Boolean(shown)} />
    ${shown && html`<div class=${`set-result${task.failed ? " stale" : ""}`}>
      <h2>Phrases of ${plural(found.documents.length, "document")}</h2>
      ${found.answer.notes.map((note) => html`<p class="hint">${note}</p>`)}
      ${found.answer.keyphrases.length > 0 ? html`<div class="card ranked-card">
        <${RankedList}
          label="Phrases of the set" keyphrases=${found.answer.keyphrases} documents=${found.documents}
          open=${query.phrase ?? ""} onOpen=${(phrase) => remember({ phrase })}
          aside=${(one) => html`<${Share} count=${one.documents} total=${one.total} />`}
        />
      </div>` : html`<${Nothing} title="No phrases in common">
        The documents may be too short, or about different things.
      <//>`}
    </div>`}
  </div>`;
}

/** `given` are files that were dropped outside of the boxes: they go to the set that is empty. */
export function ContrastView({ given }) {
  const { query } = useAddress("contrast");
  const task = useTask();
  const drop = useTask(); // what is said about files that were dropped outside of the boxes
  const [found, setFound] = useState(null); // two answers and their documents
  const [givenTo, setGivenTo] = useState({}); // by the number of a set
  const [open, setOpen] = useState(["", ""]);
  const key = query.doc ?? "";
  const kept = key === "example" ? EXAMPLES : keptUnder(key)?.content;
  const sets = kept ?? [[], []];
  const isReady = sets.every((one) => one.length);
  const hasSome = sets.some((one) => one.length);
  const top = Number(query.top) || TOP;
  const put = (all) => write("contrast", { query: all.some((one) => one.length) ? { doc: keep(all), top } : {} });
  useEffect(() => {
    if (isReady) find();
    else setFound(null);
  }, [key, top]);
  useEffect(() => {
    if (!given) return;
    const empty = sets.findIndex((one) => !one.length);
    const full = { title: "Both sets have documents", detail: "Drop them on Set A or on Set B.", mayPass: false };
    if (empty < 0) drop.fail(full);
    else {
      drop.clear();
      setGivenTo({ [empty]: given });
    }
  }, [given]);

  async function find() {
    const ask = (ours, theirs, signal) =>
      call("v1/sets", { json: { documents: ours.map(payload), against: theirs.map(payload), top }, signal });
    const work = (signal) => Promise.all([ask(sets[0], sets[1], signal), ask(sets[1], sets[0], signal)]);
    const answers = await task.run("Comparing the sets", work, find);
    if (!answers) return;
    setFound({ answers, sets });
    announce(`${plural(answers[0].keyphrases.length + answers[1].keyphrases.length, "phrase")} compared`);
  }

  const shown = found && isReady;
  return html`<div class=${hasSome ? "filled" : ""}>
    ${key && !kept && html`<${NotHere} />`}
    <div class="hero">
      <h1>What sets them apart?</h1>
      <p class="lead">
        Two sets of documents: last year and this year, yours and theirs. You get what one says and the other does not.
      </p>
      <button class="button" type="button" onclick=${() => write("contrast", { query: { doc: "example", top } })}>
        Try an example
      </button>
    </div>
    <${Status} task=${drop} />
    <div class="contrast-sets">
      ${NAMES.map((name, which) => html`<${Collection}
        ...${{ name }} label=${`Texts to add to ${name}`} rows=${4} documents=${sets[which]} given=${givenTo[which]}
        folded=${shown} onChange=${(documents) => put(sets.with(which, documents))}
      />`)}
    </div>
    ${!isReady && hasSome && html`<${Nothing} title="One set is empty">Add documents to both.<//>`}
    ${isReady && html`<div class="controls">
      <div class="control-bar" role="group" aria-label="What to find">
        <${Amount}
          value=${top} most=${MOST_TOP} onChange=${(next) => write("contrast", { query: { doc: key, top: next } })}
        />
        <div class="bar-actions">
          ${found && html`<${ExportMenu} name="contrast" formats=${contrastFormats(found.answers)} />`}
        </div>
      </div>
    </div>`}
    <${Status} task=${task} old=${Boolean(shown)} />
    ${shown && html`<div class=${`contrast-result${task.failed ? " stale" : ""}`}>
      <h2>What marks each set out</h2>
      <p class="hint">
        Click a phrase to read where it stands. Where documents are few, a difference may be chance and is marked
        “not certain”.
      </p>
      <div class="contrast-sides">
        ${found.answers.map(({ keyphrases, notes }, which) => html`<section
          class="card ranked-card" aria-label=${NAMES[which]}
        >
          <h3 class="contrast-name">Marks out ${NAMES[which]}</h3>
          ${notes.map((note) => html`<p class="hint">${note}</p>`)}
          ${keyphrases.length > 0 ? html`<${RankedList}
            label=${`Phrases of ${NAMES[which]}`} keyphrases=${keyphrases} documents=${found.sets[which]}
            open=${open[which]} onOpen=${(phrase) => setOpen(open.with(which, phrase))}
            aside=${(one) => html`<${Sides} keyphrase=${one} which=${which} />`}
          />` : html`<${Nothing} title="Nothing">No phrase is more common here.<//>`}
        </section>`)}
      </div>
    </div>`}
  </div>`;
}

function NotHere() {
  return html`<${Nothing} title="These documents are not in this tab">
    They were opened in another tab, or long ago. Drop them again.
  <//>`;
}

/** Phrases of a set: `aside(keyphrase)` stands on the right of a row, the quotes of the one that is `open` below it. */
function RankedList({ keyphrases, documents, label, open, onOpen, aside }) {
  const list = useRef();
  useEffect(() => {
    list.current.querySelector("[aria-expanded=true]")?.parentElement.scrollIntoView({ block: "nearest" });
  }, [open]);
  return html`<ol class="ranked" aria-label=${label} ref=${list}>
    ${keyphrases.map((one) => {
      const isOpen = one.text === open;
      const others = one.variants.filter((form) => form.toLowerCase() !== one.text.toLowerCase()).slice(0, 3);
      return html`<li key=${one.text}>
        <button
          class="ranked-phrase" type="button" aria-expanded=${String(isOpen)}
          onclick=${() => onOpen(isOpen ? "" : one.text)}
        >
          <span class="ranked-text">
            ${one.text}${others.length > 0 && html`<span class="also">also ${others.join(", ")}</span>`}
          </span>
          ${aside(one)}
        </button>
        ${isOpen && html`<div
          class="ranked-more quotes-panel" role="region" aria-label=${`Quotes of ${one.text}`} tabindex="0"
        ><${Quotes} mentions=${one.mentions} documents=${documents} /></div>`}
      </li>`;
    })}
  </ol>`;
}

/** The places of a phrase in the documents that mention it; of many documents the first at first. */
function Quotes({ mentions, documents }) {
  const [most, setMost] = useState(MOST_DOCUMENTS);
  const rest = mentions.length - most;
  return html`
    ${mentions.slice(0, most).map(({ document: id, spans }) => {
      const { name, content } = documents.find((one) => one.id === id);
      const unit = offsets(content);
      const more = spans.length - MOST_QUOTES;
      return html`<div class="quotes">
        <h3 class="quotes-name">${name}</h3>
        ${spans.slice(0, MOST_QUOTES).map(([start, end]) => {
          const { before, phrase, after } = quote(content, unit(start), unit(end));
          return html`<blockquote class="quote">${before}<mark>${phrase}</mark>${after}</blockquote>`;
        })}
        ${more > 0 && html`<p class="hint">and ${plural(more, "more place")}</p>`}
      </div>`;
    })}
    ${rest > 0 && html`<button class="button small" type="button" onclick=${() => setMost(most + MOST_DOCUMENTS)}>
      Quotes of ${plural(rest, "more document")}
    </button>`}`;
}

/** A bar for a share of documents, with its count in words. */
function Share({ count, total, name = "", kind = "ours" }) {
  return html`<span class=${`share ${kind}${name ? "" : " unnamed"}`}>
    ${name && html`<span class="share-name">${name}</span>`}
    <span class="share-bar" style=${{ "--share": total ? count / total : 0 }} aria-hidden="true" />
    <span class="share-count">${count} of ${total}</span>
  </span>`;
}

/** In how many documents of both sets a phrase stands, how much more common it is here, and how sure that is. */
function Sides({ keyphrase, which }) {
  const { documents, total, other_documents: elsewhere, other_total: otherTotal, effect, q } = keyphrase;
  const [ours, theirs] = which ? ["B", "A"] : ["A", "B"];
  const times = 2 ** effect;
  const much = elsewhere ? `${printed(times, times >= 10 ? 0 : 1)}× as common` : "only here";
  const title = `q = ${q.toPrecision(2)}: the share of false finds to expect among phrases this clear`;
  return html`<span class="ranked-aside">
    <${Share} count=${documents} total=${total} name=${ours} />
    <${Share} count=${elsewhere} total=${otherTotal} name=${theirs} kind="theirs" />
    <span class="contrast-odds" title=${title}>${much} · ${q < CERTAIN ? "hardly chance" : "not certain"}</span>
  </span>`;
}

function setFormats({ answer, documents }) {
  const rows = answer.keyphrases.map((one, i) => {
    const places = new Map(one.mentions.map(({ document: id, spans }) => [id, spans.length]));
    const counts = documents.map(({ id }) => places.get(id) ?? 0);
    return [i + 1, one.text, one.score, one.documents, one.total, ...counts];
  });
  const header = [...SET_HEADER, ...documents.map((one) => one.name)];
  return [...tableFormats(header, rows, answer), ...phraseFormats(answer.keyphrases.map((one) => one.text))];
}

function contrastFormats([a, b]) {
  const rows = [a, b].flatMap(({ keyphrases }, which) =>
    keyphrases.map((one, i) => CONTRAST_HEADER.map((name) => ({ set: NAMES[which], rank: i + 1, ...one })[name])));
  const phrases = ({ keyphrases }) => keyphrases.map((one) => one.text);
  return [
    ...tableFormats(CONTRAST_HEADER, rows, { a, b }),
    ...[a, b].flatMap((answer, which) => phraseFormats(phrases(answer), ` of ${NAMES[which]}`)),
  ];
}
