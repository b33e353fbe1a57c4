/** A button that opens a panel: closed by Escape, by a click elsewhere, and when the focus leaves it. */

import { h } from "./elements.js";

/** `panel` is an element or several; `kind` adds classes to the button. */
export function menu(words, panel, { kind = "button small", label = null, wide = false } = {}) {
  const summary = h("summary", { class: kind, "aria-label": label }, words);
  const element = h("details", { class: `menu${wide ? " wide" : ""}` }, summary, h("div", { class: "menu-list" }, panel));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !element.open) return;
    element.open = false;
    summary.focus();
  });
  element.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !element.contains(event.relatedTarget)) element.open = false;
  });
  element.addEventListener("toggle", () => { if (element.open) keepInside(element); });
  return { element, summary, close: () => { element.open = false; } };
}

/** Open to the side on which there is room. */
function keepInside(element) {
  const panel = element.querySelector(".menu-list");
  element.classList.remove("to-right");
  if (panel.getBoundingClientRect().left < 0) element.classList.add("to-right");
}

addEventListener("pointerdown", (event) => {
  for (const one of document.querySelectorAll("details.menu[open]")) if (!one.contains(event.target)) one.open = false;
});
