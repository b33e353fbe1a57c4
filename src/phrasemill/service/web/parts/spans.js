/** Places in a text. The service counts code points, JavaScript counts UTF-16 units; `offsets` converts. */

const CONTEXT = 90; // characters of context on either side of a quote

/** What is analysed, and what spans point into: the title on a line of its own, then the text. */
export function contentOf({ title, text }) {
  return title ? `${title}\n${text}` : text;
}

/** A function from code points to UTF-16 units of `text`. */
export function offsets(text) {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return (point) => point;
  const units = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  units.push(at);
  return (point) => units[Math.min(point, units.length - 1)];
}

/** `text` in pieces that lie wholly inside or outside of every place: `{ start, end, inside: [phrases] }`. */
export function pieces(text, placesOfPhrases) {
  const starts = new Map();
  const ends = new Map();
  const cuts = new Set([0, text.length]);
  placesOfPhrases.forEach((places, phrase) => {
    for (const [start, end] of places) {
      starts.set(start, [...(starts.get(start) ?? []), phrase]);
      ends.set(end, [...(ends.get(end) ?? []), phrase]);
      cuts.add(start).add(end);
    }
  });
  const sorted = [...cuts].sort((a, b) => a - b);
  const open = [];
  const found = [];
  for (let i = 0; i + 1 < sorted.length; i += 1) {
    const [start, end] = [sorted[i], sorted[i + 1]];
    for (const phrase of ends.get(start) ?? []) open.splice(open.indexOf(phrase), 1);
    open.push(...(starts.get(start) ?? []));
    found.push({ start, end, inside: [...new Set(open)].sort((a, b) => a - b) });
  }
  return found;
}

/** The passage around one place, cut at words: `{ before, phrase, after }`. */
export function quote(text, start, end) {
  let from = Math.max(0, start - CONTEXT);
  let to = Math.min(text.length, end + CONTEXT);
  if (from > 0) from = Math.min((text.indexOf(" ", from) + 1) || from, start);
  if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), end);
  const flat = (part) => part.replace(/\s+/g, " ");
  return {
    before: (from > 0 ? "… " : "") + flat(text.slice(from, start)),
    phrase: flat(text.slice(start, end)),
    after: flat(text.slice(end, to)) + (to < text.length ? " …" : ""),
  };
}

export function countWords(text) {
  return (text.match(/\S+/g) ?? []).length;
}

/** The places of a phrase in a text, as the service counts them: whole words, in any case. */
export function contains(text, phrase) {
  const words = phrase.split(/\s+/).map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("\\s+")}(?![\\p{L}\\p{N}])`, "giu");
  const points = (at) => [...text.slice(0, at)].length;
  return [...text.matchAll(pattern)].map((one) => [points(one.index), points(one.index + one[0].length)]);
}
