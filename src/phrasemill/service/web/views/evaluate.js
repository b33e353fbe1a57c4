/** Predictions against gold: the files go to the service, which answers with the report of the library. */

import { keep, keptUnder, useAddress, write } from "../parts/address.js";
import { respond, useOnce } from "../parts/api.js";
import { distinct } from "../parts/documents.js";
import { announce, html, IconButton, useEffect, useLayoutEffect, useRef, useState, useUid } from "../parts/elements.js";
import { EXAMPLE_GOLD, EXAMPLE_PREDICTIONS } from "../parts/examples.js";
import { saveAs } from "../parts/exports.js";
import { DropBox, FileButton } from "../parts/intake.js";
import { Status, useTask } from "../parts/status.js";

const ACCEPT = ".jsonl,.json,.txt,.final,.gz";
const RESAMPLES = 1000;
const EMPTY = { predictions: [], gold: null };
const EXAMPLE = { predictions: EXAMPLE_PREDICTIONS, gold: EXAMPLE_GOLD };

/** `given` are files that were dropped outside of the two boxes. */
export function EvaluateView({ given }) {
  const { query } = useAddress("evaluate");
  const task = useTask();
  const [report, setReport] = useState("");
  const key = query.doc ?? "";
  const preset = query.preset || "default";
  const files = (key === "example" ? EXAMPLE : keptUnder(key)?.content) ?? EMPTY;
  const { predictions, gold } = files;
  const remember = (doc, wanted = preset) => {
    write("evaluate", { query: doc ? { doc, preset: wanted === "default" ? "" : wanted } : {} });
  };
  const put = (changes) => {
    const next = { ...files, ...changes };
    remember(next.gold || next.predictions.length ? keep(next) : "");
  };
  useEffect(() => {
    setReport("");
    if (gold && predictions.length) score();
  }, [key, preset]);
  useEffect(() => {
    const detail = "Drop what systems predicted on the left box, and what people chose on the right one.";
    if (given) task.fail({ title: "Which of them are these?", detail, mayPass: false });
  }, [given]);

  async function score() {
    const { text, field } = gold;
    const json = { predictions, gold: { text, field }, preset, resamples: RESAMPLES };
    const work = async (signal) => {
      const response = await respond("v1/evaluate?format=html", { json, signal, accept: "text/html" });
      return response.text();
    };
    const found = await task.run("Scoring", work, score);
    if (!found) return;
    setReport(found);
    announce("Scores are ready");
  }

  /** Read the phrases from another field of the file that the problem is about. */
  function choose(field, { where }) {
    const number = /predictions\.(\d+)/.exec(where)?.[1];
    if (number === undefined) put({ gold: { ...gold, field } });
    else put({ predictions: predictions.with(Number(number), { ...predictions[number], field }) });
  }

  return html`<div class=${predictions.length || gold ? "filled" : ""}>
    <div class="hero">
      <h1>How good are they?</h1>
      <p class="lead">
        Drop what your systems predicted and what people chose. Every score says how it was computed.
      </p>
      <button class="button" type="button" onclick=${() => remember("example")}>Try an example</button>
    </div>
    <div class="answers-row">
      <${Answers}
        title="Predictions" multiple files=${predictions}
        onFiles=${(more) => put({ predictions: distinct([...predictions, ...more], "name") })}
        onRemove=${(file) => put({ predictions: predictions.filter((one) => one !== file) })}
      >One file per system, as extract --format jsonl writes them.<//>
      <${Answers}
        title="Gold" files=${gold ? [gold] : []} onFiles=${(some) => put({ gold: some.at(-1) })}
        onRemove=${() => put({ gold: null })}
      >What people chose: one record per document, under the same ids.<//>
      <${Preset} value=${preset} onChange=${(name) => remember(key, name)} />
    </div>
    <${Status} task=${task} onChoose=${choose} />
    ${report && html`<div class="report-head">
      <h2>Report</h2>
      <button
        class="button small" type="button"
        onclick=${() => saveAs(new Blob([report], { type: "text/html" }), "scores.html")}
      >Download the report</button>
    </div>
    <${Report} page=${report} />`}
  </div>`;
}

/** A box for files of one kind, with a list of those that are there. */
function Answers({ title, multiple = false, files, onFiles, onRemove, children }) {
  const task = useTask();

  async function read(chosen) {
    const found = await task.run("Reading", () => Promise.all(chosen.map(readText)));
    if (found) onFiles(found);
  }

  return html`<${DropBox} tag="section" class="card answers" aria-label=${title} onFiles=${read}>
    <h2>${title}</h2>
    <p class="hint">${children}</p>
    <${FileButton}
      words=${multiple ? "Choose files" : "Choose a file"} onFiles=${read} accept=${ACCEPT} multiple=${multiple}
    />
    <${Status} task=${task} />
    <ul class="collection-list">
      ${files.map((one) => html`<li key=${one.name}>
        <span class="collection-name">${one.name}</span>
        <${IconButton} label=${`Remove ${one.name}`} icon="cross" size=${14} small onclick=${() => onRemove(one)} />
      </li>`)}
    </ul>
  <//>`;
}

/** The text of a file, decompressed if necessary. */
async function readText(file) {
  const isPacked = file.name.endsWith(".gz");
  const body = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file;
  const name = file.name.replace(/\.gz$/, "").replace(/\.(jsonl?|txt|final)$/, "");
  return { name, text: await new Response(body).text() };
}

function Preset({ value, onChange }) {
  const id = useUid("preset");
  const { answer, problem } = useOnce("v1/metrics");
  const presets = answer?.presets ?? [{ name: value }];
  const one = presets.find(({ name }) => name === value);
  const about = one?.summary ? `${one.summary}. ${one.consequence}` : (problem?.message ?? "");
  return html`<section class="card answers">
    <h2><label for=${id}>Scored as in</label></h2>
    <select
      id=${id} aria-describedby=${`${id}-about`} value=${value}
      onchange=${(event) => onChange(event.currentTarget.value)}
    >
      ${presets.map(({ name }) => html`<option value=${name} selected=${name === value}>${name}</option>`)}
    </select>
    <p class="hint" id=${`${id}-about`}>${about}</p>
  </section>`;
}

/** A page of the library, shown with its own style, which stays inside. The policy of this page holds for it, too. */
function Report({ page }) {
  const host = useRef();
  useLayoutEffect(() => {
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    let styles = "";
    const content = page.replace(/<style>([^]*?)<\/style>/g, (_, rules) => {
      styles += rules;
      return "";
    });
    const parsed = new DOMParser().parseFromString(content, "text/html");
    const sheet = new CSSStyleSheet();
    // Here, the whole page is an element inside the host.
    sheet.replaceSync(`${styles.replaceAll(":root", ":host").replace(/\b(body|main)(?=\s*\{)/g, ".report")}
      .report { font: inherit; max-width: none; margin: 0; padding: 0; }
      h1 { display: none; } h2 { margin-top: 1.5rem; } .report > :nth-child(2) { margin-top: 0; }`);
    root.adoptedStyleSheets = [sheet];
    const element = document.createElement("div");
    element.className = "report";
    element.append(...(parsed.querySelector("main") ?? parsed.body).childNodes);
    root.replaceChildren(element);
  }, [page]);
  return html`<div class="card report-frame" ref=${host} />`;
}
