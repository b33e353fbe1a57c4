/** The address of what is shown: `#view/part/part?name=value`, so that every state can be linked, kept and gone back to. */

/** Return the state that the address names; the bare address is that of the view Document. */
export function readAddress() {
  const [path, query = ""] = location.hash.slice(1).split("?", 2);
  const [view, ...rest] = path.split("/").map(decodeURIComponent);
  return { view: view || "document", rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** `addressOf("folder", { rest: ["ab12"], query: { sort: "name" } })`; what is empty is left out. */
export function addressOf(view, { rest = [], query = {} } = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const path = [view, ...rest].map((one) => encodeURIComponent(one)).join("/");
  return given.length ? `#${path}?${new URLSearchParams(given)}` : `#${path}`;
}

const latest = new Map();

/** Write the state of a view to the address if that view is open; `push` makes it a step that the back button undoes. */
export function writeAddress(view, state, { push = false } = {}) {
  const address = addressOf(view, state);
  latest.set(view, address);
  if (readAddress().view !== view || location.hash === address) return;
  history[push ? "pushState" : "replaceState"](null, "", address);
}

/** Return the latest address of a view. */
export function latestAddress(view) {
  return latest.get(view) ?? `#${view}`;
}

/** Go to an address as a link would. */
export function go(address) {
  if (location.hash === address) return;
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** A text in few characters, for an address. */
export async function packed(text) {
  const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text that `packed` made. */
export async function unpacked(characters) {
  const bytes = Uint8Array.from(atob(characters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}
