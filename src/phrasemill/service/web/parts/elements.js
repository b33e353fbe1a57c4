/** What all parts are made of: the renderer, icons, menus, and words for numbers. Text enters the page only as text. */

import { html, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";

export {
  html, render, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState,
} from "../vendor/htm-preact.js";

const ICONS = {
  accept: "M4.5 10.5l3.5 3.5 7.5-8",
  back: "M16 10H4m0 0l5-5m-5 5l5 5",
  clip: "M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M4 13v2.5h12V13",
  cross: "M5.5 5.5l9 9m0-9l-9 9",
  down: "M10 4.5v11m0 0L5.5 11M10 15.5l4.5-4.5",
  folder: "M3 6a1.5 1.5 0 0 1 1.5-1.5h3L9 7h6.5A1.5 1.5 0 0 1 17 8.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z",
  next: "M7.5 4.5L13 10l-5.5 5.5",
  previous: "M12.5 4.5L7 10l5.5 5.5",
  spark: "M10 3l1.7 5.3L17 10l-5.3 1.7L10 17l-1.7-5.3L3 10l5.3-1.7z",
  up: "M10 15.5v-11m0 0L5.5 9M10 4.5L14.5 9",
};

export function Icon({ name, size = 18 }) {
  return html`<svg viewBox="0 0 20 20" width=${size} height=${size} class="icon" aria-hidden="true">
    <path d=${ICONS[name]} />
  </svg>`;
}

/** A button with an icon alone; `more` are further attributes. */
export function IconButton({ label, icon, size, small = false, ...more }) {
  return html`<button class=${`icon-button${small ? " small" : ""}`} type="button" aria-label=${label} ...${more}>
    <${Icon} name=${icon} size=${size} />
  </button>`;
}

let count = 0;

/** An id that is unique on the page. */
export function useUid(prefix) {
  return useMemo(() => {
    count += 1;
    return `${prefix}-${count}`;
  }, []);
}

/** Listen to an element in a reference, or to the window, as long as the component is there. */
export function useListener(where, name, onEvent) {
  const latest = useRef();
  latest.current = onEvent;
  useEffect(() => {
    const target = where.current ?? where;
    const listener = (event) => latest.current(event);
    target.addEventListener(name, listener, { passive: true });
    return () => target.removeEventListener(name, listener);
  }, []);
}

const NARROW = matchMedia("(max-width: 56rem)");

/** Whether there is room for one column only. */
export function useNarrow() {
  const [narrow, setNarrow] = useState(NARROW.matches);
  useListener(NARROW, "change", () => setNarrow(NARROW.matches));
  return narrow;
}

const MARGIN = 12; // px between a panel and the edge of the window
const LEAST = 160; // px of a panel; where there is less room, one scrolls the page

/** A button that opens a panel: closed by Escape, by a click elsewhere, and when the focus leaves it. */
export function Menu({ words, label, kind = "button small", wide = false, children }) {
  const element = useRef();

  function escape(event) {
    if (event.key !== "Escape" || !element.current.open) return;
    element.current.open = false;
    element.current.firstElementChild.focus();
  }

  function leave(event) {
    if (event.relatedTarget && !element.current.contains(event.relatedTarget)) element.current.open = false;
  }

  return html`<details
    class=${`menu${wide ? " wide" : ""}`}
    ref=${element}
    onkeydown=${escape}
    onfocusout=${leave}
    ontoggle=${() => element.current.open && keepInside(element.current)}
  >
    <summary class=${kind} aria-label=${label}>${words}</summary>
    <div class="menu-list">${children}</div>
  </details>`;
}

/** Open to the side on which there is room, and no further down than the window. */
function keepInside(menu) {
  const panel = menu.querySelector(".menu-list");
  menu.classList.remove("to-left", "to-right");
  panel.style.removeProperty("max-height");
  const box = panel.getBoundingClientRect();
  if (box.left < 0) menu.classList.add("to-right");
  if (box.right > innerWidth) menu.classList.add("to-left");
  const room = innerHeight - box.top - MARGIN;
  if (box.height > room && room > LEAST) panel.style.setProperty("max-height", `${room}px`);
}

/** Close the menu that an event happened in. */
export function closeMenu(event) {
  event.currentTarget.closest("details").open = false;
}

addEventListener("pointerdown", (event) => {
  for (const one of document.querySelectorAll("details.menu[open]")) if (!one.contains(event.target)) one.open = false;
});

/** Announce a change to screen readers. */
export function announce(words) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => {
    announcer.textContent = words;
  });
}

/** A number of at most four significant digits: more of them say nothing. */
export function short(number) {
  return Number.isInteger(number) ? number : Number(number.toPrecision(4));
}

/** The same with at most `places` decimals, as it is shown. */
export function printed(number, places) {
  const room = number ? 3 - Math.floor(Math.log10(Math.abs(number))) : places;
  return short(number).toFixed(Math.max(0, Math.min(places, room)));
}

/** `plural(2, "phrase")` is "2 phrases". */
export function plural(number, noun) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : `${noun}s`}`;
}
