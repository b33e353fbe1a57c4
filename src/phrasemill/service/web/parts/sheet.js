/** A sheet that rises from below, on narrow screens; the page behind it stays usable. */

import { h, icon } from "./elements.js";

const CROSS = "M5.5 5.5l9 9m0-9l-9 9";
const NARROW = matchMedia("(max-width: 56rem)");
let open = null;

/** Whether what is chosen is shown in a sheet instead of beside it. */
export function isNarrow() {
  return NARROW.matches;
}

/** Show `content` in the sheet, in place of what it showed before. `onClose` is called when it is closed or replaced by
    another's content. */
export function showSheet(title, content, { onClose = () => {} } = {}) {
  if (open && open.title !== title) closeSheet();
  const element = h("section", { class: "sheet", role: "region", "aria-label": title },
    h("div", { class: "sheet-head" }, h("h2", {}, title),
      h("button", { class: "icon-button", type: "button", "aria-label": "Close", onclick: closeSheet }, icon(CROSS))),
    h("div", { class: "sheet-body", tabindex: 0 }, content));
  if (open) open.element.replaceWith(element);
  else document.body.append(element);
  open = { element, title, onClose };
  document.documentElement.style.setProperty("--sheet", `${element.offsetHeight}px`);
}

export function closeSheet() {
  if (!open) return;
  const { element, onClose } = open;
  open = null;
  element.remove();
  document.documentElement.style.removeProperty("--sheet");
  onClose();
}

addEventListener("keydown", (event) => { if (event.key === "Escape") closeSheet(); });
addEventListener("popstate", closeSheet);
NARROW.addEventListener("change", closeSheet);
