/** Why a phrase was chosen: its reasons as a list, and a small card that shows them where the pointer or the focus is. */

import { h, printed, uid } from "./elements.js";
import { isNarrow } from "./sheet.js";

const MOST = 5;
const LINGER = 140; // ms in which the pointer may travel from the phrase to the card

/** The strongest reasons, with the weight of each if the method reports one, and how the method scores. */
export function reasons(keyphrase, { method = null } = {}) {
  if (keyphrase.added) return h("p", { class: "why-none" }, "You added this phrase.");
  const evidence = (keyphrase.evidence ?? []).slice(0, MOST);
  const most = Math.max(0, ...evidence.map((one) => Math.abs(one.weight)));
  return h("div", { class: "reasons" },
    method ? h("p", { class: "why-score" }, scoreInWords(keyphrase.score, method)) : null,
    h("ul", { class: "why" }, evidence.map((one) => h("li", {}, most ? weight(one.weight, most) : null, h("span", {}, one.words)))),
    most || !method ? null : h("p", { class: "why-none" }, `How ${method.name} scores: ${method.summary}`));
}

/** What a score means, by the scale of its method. */
function scoreInWords(score, { scale, name }) {
  if (scale !== "probability") return `Its score says something only beside the other scores of ${name}.`;
  return `An editor of such a text would choose it with a likelihood of ${score >= 0.995 ? "over 99" : score < 0.01 ? "under 1" : Math.round(100 * score)}%.`;
}

function weight(value, most) {
  const words = `${value > 0 ? "raises" : "lowers"} the score: `;
  return h("span", { class: `why-weight ${value < 0 ? "against" : ""}`, style: { "--share": Math.abs(value) / most } },
    h("span", { class: "sr-only" }, words), (value > 0 ? "+" : "−") + printed(Math.abs(value), 2));
}

/** Show `content(target)` in a card beside whatever inside `root` matches `selector`, while it is hovered or focused. */
export function hoverCard(root, selector, content) {
  const card = h("div", { class: "card hover-card", role: "tooltip", id: uid("why"), hidden: true });
  let target = null;
  let timer = 0;

  function show(next) {
    clearTimeout(timer);
    if (next === target) return;
    const inside = content(next);
    if (!inside) return hide();
    target?.removeAttribute("aria-describedby");
    target = next;
    card.replaceChildren(...inside);
    card.hidden = false;
    if (target.matches("button")) target.setAttribute("aria-describedby", card.id);
    place(card, target);
  }
  function hide() {
    clearTimeout(timer);
    target?.removeAttribute("aria-describedby");
    target = null;
    card.hidden = true;
  }
  const later = () => { clearTimeout(timer); timer = setTimeout(hide, LINGER); };

  root.append(card);
  root.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || isNarrow()) return;
    const found = event.target.closest(selector);
    if (found) show(found);
    else if (card.contains(event.target)) clearTimeout(timer);
    else if (target) later();
  });
  root.addEventListener("pointerleave", later);
  root.addEventListener("focusin", (event) => {
    const found = event.target.closest(selector);
    if (found && found.matches(":focus-visible") && !isNarrow()) show(found);
    else hide();
  });
  root.addEventListener("focusout", later);
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  addEventListener("scroll", () => { if (target) hide(); }, { passive: true });
  return hide;
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
