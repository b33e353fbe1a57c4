/** A button that opens a panel: closed by Escape, by a click elsewhere, and when the focus leaves it. */

import { h } from "./elements.js";

const MARGIN = 12; // px between a panel and the edge of the window
const LEAST = 160; // px of a panel; where there is less room, one scrolls the page

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

/** Open to the side on which there is room, and no further down than the window. */
function keepInside(element) {
  const panel = element.querySelector(".menu-list");
  element.classList.remove("to-left", "to-right");
  panel.style.removeProperty("max-height");
  const box = panel.getBoundingClientRect();
  if (box.left < 0) element.classList.add("to-right");
  if (box.right > innerWidth) element.classList.add("to-left");
  const room = innerHeight - box.top - MARGIN;
  if (box.height > room && room > LEAST) panel.style.setProperty("max-height", `${room}px`);
}

addEventListener("pointerdown", (event) => {
  for (const one of document.querySelectorAll("details.menu[open]")) if (!one.contains(event.target)) one.open = false;
});
