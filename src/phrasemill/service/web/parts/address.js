/** The address of what is shown, `#view/part?name=value`, and the texts that it names by a key.

Texts stay in this tab, so that going back and loading the page again find them. They are never in the address. */

import { useLayoutEffect, useReducer } from "./elements.js";

const latest = new Map(); // the latest state of each view
const listeners = new Set();

export const NAMES = ["document", "folder", "set", "contrast", "evaluate"];

function parsed(hash) {
  const [path, query = ""] = hash.slice(1).split("?", 2);
  const [view, ...rest] = path.split("/").map(decodeURIComponent);
  return { view: NAMES.includes(view) ? view : NAMES[0], rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** `addressOf("folder", { rest: ["ab12"], query: { sort: "name" } })`; what is empty is left out. */
function addressOf(view, { rest = [], query = {} } = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const path = [view, ...rest].map((one) => encodeURIComponent(one)).join("/");
  return given.length ? `#${path}?${new URLSearchParams(given)}` : `#${path}`;
}

let open = parsed(location.hash);
latest.set(open.view, open);

/** The view that is open. */
export function openView() {
  return open.view;
}

/** Write the state of a view to the address if that view is open; `push` makes it a step that can be gone back. */
export function write(view, state, { push = false } = {}) {
  const address = addressOf(view, state);
  const next = parsed(address);
  latest.set(view, next);
  if (open.view === view) {
    open = next;
    if (location.hash !== address) history[push ? "pushState" : "replaceState"](null, "", address);
  }
  for (const listener of listeners) listener();
}

/** Open a view in the state in which it was left, or in another. */
export function go(view, state = latest.get(view)) {
  const address = addressOf(view, state);
  if (location.hash !== address && !(open.view === view && address === `#${NAMES[0]}` && !location.hash)) {
    history.pushState(null, "", address);
  }
  follow();
}

function follow() {
  open = parsed(location.hash);
  latest.set(open.view, open);
  for (const listener of listeners) listener();
}

history.scrollRestoration = "manual"; // views know where they were left
addEventListener("popstate", follow);

function useChanges() {
  const [, draw] = useReducer((number) => number + 1, 0);
  useLayoutEffect(() => {
    listeners.add(draw);
    return () => listeners.delete(draw);
  }, []);
}

/** The view that is open; the component is drawn again when another is. */
export function useOpenView() {
  useChanges();
  return open.view;
}

/** The latest state of a view, `{ rest, query }`; the component is drawn again when it changes. */
export function useAddress(view) {
  useChanges();
  return latest.get(view) ?? parsed(`#${view}`);
}

const PREFIX = "phrasemill-kept-";
const ROOM = 2_000_000; // characters that a tab certainly has room for
const kept = new Map();

/** Keep a content, and return the key that an address names it by. */
export function keep(content) {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  const key = Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
  put(key, { content });
  return key;
}

/** Add to what is kept under a key. */
export function amend(key, changes) {
  put(key, { ...keptUnder(key), ...changes });
}

/** What is kept under a key, `{ content, … }`, or undefined. */
export function keptUnder(key) {
  if (!key) return undefined;
  if (!kept.has(key)) {
    const stored = sessionStorage.getItem(PREFIX + key);
    if (stored) kept.set(key, JSON.parse(stored));
  }
  return kept.get(key);
}

function put(key, entry) {
  kept.set(key, entry);
  const text = JSON.stringify(entry);
  try {
    sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Browsers give a tab about five million characters: older texts make room, and a longer one is lost on reload.
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
    if (text.length < ROOM) sessionStorage.setItem(PREFIX + key, text);
  }
}
