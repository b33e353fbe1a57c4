/** What was worked on lately, kept in this browser only, unless that is switched off. */

const LIST = "phrasemill-history";
const OFF = "phrasemill-history-off";
const MOST = 30; // entries
const ROOM = 2_000_000; // characters of all entries together; browsers give a page about five million
const inMemory = new Map(); // until the page is closed, so that the back button works without a history, too

export const history_ = {
  get isOn() {
    return localStorage.getItem(OFF) === null;
  },
  /** Off: nothing is kept from now on, and what was kept is removed. */
  turn(on) {
    if (on) localStorage.removeItem(OFF);
    else {
      localStorage.setItem(OFF, "1");
      localStorage.removeItem(LIST);
    }
  },
  /** The entries, the latest first: `{ id, view, name, when, content, query }`. */
  entries() {
    try {
      return JSON.parse(localStorage.getItem(LIST) ?? "[]");
    } catch {
      return [];
    }
  },
  remove(id) {
    write(this.entries().filter((one) => one.id !== id));
  },
  clear() {
    localStorage.removeItem(LIST);
  },
};

/** Keep `content` of a view under a name, and return its id. The same content keeps its id. */
export function keep(view, name, content) {
  const same = JSON.stringify(content);
  const before = [...inMemory.values(), ...history_.entries()].find((one) => one.view === view && JSON.stringify(one.content) === same);
  const entry = { ...before, id: before?.id ?? freshId(), view, name, content, when: Date.now() };
  put(entry);
  return entry.id;
}

/** Change an entry: its latest address, or what was decided about its phrases. */
export function amend(id, changes) {
  const entry = entryOf(id);
  if (entry) put({ ...entry, ...changes });
}

/** Return an entry, or undefined. */
export function entryOf(id) {
  return inMemory.get(id) ?? history_.entries().find((one) => one.id === id);
}

function put(entry) {
  inMemory.set(entry.id, entry);
  if (history_.isOn) write([entry, ...history_.entries().filter((one) => one.id !== entry.id)]);
}

function write(entries) {
  const within = [];
  let size = 0;
  for (const entry of entries.slice(0, MOST)) {
    size += JSON.stringify(entry).length;
    if (size > ROOM) break;
    within.push(entry);
  }
  try {
    localStorage.setItem(LIST, JSON.stringify(within));
  } catch {
    localStorage.removeItem(LIST); // the browser has less room than it should: better no history than half of one
  }
}

function freshId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36).padStart(2, "0")).join("");
}
