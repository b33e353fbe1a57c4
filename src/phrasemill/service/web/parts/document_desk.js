/** A document on a desk: the bar, its keyphrases, and its text with them marked. */

import { call } from "./api.js";
import { choices, goldLine } from "./choices.js";
import { controlBar, requested } from "./control_bar.js";
import { commands } from "./copy_as.js";
import { announce, h, plural } from "./elements.js";
import { documentFormats, exportMenu, shareMenu } from "./exports.js";
import { navigation } from "./navigation.js";
import { pageImages } from "./page_images.js";
import { phraseList } from "./phrase_list.js";
import { reader } from "./reader.js";
import { hoverCard, reasons } from "./reasons.js";
import { reviewFoot } from "./review_row.js";
import { during, nothing } from "./status.js";
import { payload } from "./upload.js";

/** The request for the keyphrases of one document. */
export function requestOf(document, chosen) {
  const language = chosen.language || undefined;
  return { documents: [{ ...payload(document), ...(language ? { language } : {}) }], ...requested(chosen), ...(chosen.exclude?.length ? { exclude: chosen.exclude } : {}), explain: true };
}

/** Ask for the keyphrases of one document. */
export async function extract(document, chosen, signal) {
  const answer = await call("v1/extract", { json: requestOf(document, chosen), signal });
  const { language, keyphrases } = answer.documents[0];
  return { id: document.id, language, method: answer.method, keyphrases };
}

/** `chosen` are the settings, changed in place; `onChange({ phrase })` is called when they or the chosen phrase change;
    `decided` is what was decided about phrases, `onDecide` gets it, and the accepted
    phrases, when it changes. `found`, if given, is an answer that
    is there already. `link` is for the menu that shares what is shown. */
export function documentDesk({ document, chosen, phrase = "", found = null, decided = null, onChange = () => {}, onDecide = () => {}, link = null, files = [] }) {
  const state = h("div", { class: "state" });
  const result = h("div", { class: "result" });
  const foot = h("div", { class: "review-place" });
  const count = h("span", { class: "review-count" });
  const walk = navigation({ onChoose: (text) => onChange({ phrase: text }) });
  const text = reader(document, { onPick: walk.pick });
  const pages = document.pages ? pageImages(document, { onPick: walk.pick }) : null;
  const bar = controlBar({ chosen, onChange: () => { onChange({ phrase: shown[walk.phrase]?.text ?? "" }); find(); } });
  const review = choices(decided, () => { draw(); onDecide(review.saved(), review.accepted(shown)); });
  const toggle = h("button", { class: "button quiet small", type: "button", "aria-pressed": "false", onclick: () => { toggle.setAttribute("aria-pressed", String(!reviewing())); draw(); } }, "Review");
  const reviewing = () => toggle.getAttribute("aria-pressed") === "true";
  let answer = { keyphrases: [] };
  let shown = [];

  async function find() {
    chosen.exclude = review.refused();
    const next = found ?? await during(state, "Finding keyphrases", (signal) => extract(document, chosen, signal), find, { result });
    found = null;
    if (!next) return;
    answer = next;
    bar.showLanguage(answer.language);
    text.element.lang = answer.language ?? "";
    draw();
    announce(`${plural(answer.keyphrases.length, "keyphrase")} found`);
  }

  function draw() {
    const focused = globalThis.document.activeElement?.dataset?.focus;
    shown = review.applied(answer.keyphrases.filter((one) => reviewing() || review.of(one.text) !== "refused"), document.content);
    const accepted = review.accepted(shown);
    count.textContent = review.any ? `${accepted.length} accepted` : "";
    bar.actions.replaceChildren(
      exportMenu({ name: document.name, formats: formats(accepted) }),
      shareMenu({ commands: commands({ path: "v1/extract", request: requestOf(document, chosen), files }), link }));
    text.show(shown);
    pages?.show(shown);
    foot.replaceChildren(...(reviewing() ? [reviewFoot(shown.map((one) => one.text), review)] : []));
    if (!shown.length) {
      result.replaceChildren(nothing("No keyphrases", "This method finds none in this text. Try another method, or a longer text."));
      return;
    }
    const list = phraseList({ keyphrases: shown, onWalk: walk.walk, method: bar.method, review: reviewing() ? review : null });
    result.replaceChildren(list.element, report(shown, answer.method));
    walk.bind(list, pages ? [text, pages] : [text], shown, { scoredBy: bar.method, wanted: phrase });
    phrase = "";
    if (focused) side.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  function formats(accepted) {
    const all = documentFormats({ ...answer, keyphrases: shown.filter((one) => review.of(one.text) !== "refused") });
    return review.any ? [...all, { label: "Gold (JSON lines)", extension: "jsonl", render: () => goldLine(document.id, accepted) }] : all;
  }

  const side = h("section", { class: "desk-side card", "aria-label": "Keyphrases" },
    h("div", { class: "panel-head" }, h("h2", {}, "Keyphrases"), count, toggle), state, result, foot);
  const desk = h("div", { class: "desk" }, side,
    h("div", { class: "desk-text card" }, pages ? pages.switcher(text.element) : null, text.element, pages?.element));
  hoverCard(desk, "button.phrase, mark", (target) => whyCard(shown[target.dataset.phrase], target, walk.phrase, bar.method));
  find();
  bar.ready.then(() => { if (answer.language !== undefined) draw(); }); // what scores mean is known only now
  return { elements: [bar.element, desk] };
}

/** The content of the card beside a phrase; none for a row that is open, which shows it already. */
function whyCard(keyphrase, target, open, method) {
  if (!keyphrase || (target.matches("button") && Number(target.dataset.phrase) === open)) return null;
  return [h("p", { class: "hover-title" }, keyphrase.text), reasons(keyphrase, { method })];
}

/** All reasons, for print only. */
function report(keyphrases, method) {
  return h("div", { class: "print-only" }, h("p", {}, `Method: ${method}. ${new Date().toLocaleDateString()}. Phrasemill.`),
    h("dl", { class: "report" }, keyphrases.flatMap((one) => [h("dt", {}, one.text), h("dd", {}, (one.evidence ?? []).slice(0, 3).map((reason) => reason.words).join("; ") || "added")])));
}
