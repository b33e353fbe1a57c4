/** The text with its keyphrases marked; one occurrence at a time is the current one. */

import { h } from "./elements.js";
import { offsets, pieces, quote } from "./spans.js";

/** The text of `document`. `onPick(index, place)` is called when a marked phrase is clicked. */
export function reader(document, { onPick, label = "The text" }) {
  const { content, title } = document;
  const unit = offsets(content);
  const element = h("div", { class: "reader", role: "region", "aria-label": label, onclick: pick });
  let marks = [];
  let places = [];
  let chosen = -1;

  function pick(event) {
    const mark = event.target.closest("mark");
    if (!mark || !getSelection().isCollapsed) return;
    const inside = mark.dataset.inside.split(",").map(Number);
    const picked = inside[(inside.indexOf(chosen) + 1) % inside.length];
    onPick(picked, placeAt(picked, Number(mark.dataset.start)));
  }

  /** Mark the places of `keyphrases`; `kindOf(index)` may add a class to the marks of one. */
  function show(keyphrases, kindOf = () => "") {
    const best = Math.max(...keyphrases.map((one) => one.score ?? 0), 0) || 1;
    places = keyphrases.map((one) => one.spans.map(([start, end]) => [unit(start), unit(end)]));
    marks = [];
    const parts = pieces(content, places).map(({ start, end, inside }) => {
      const part = content.slice(start, end);
      if (!inside.length) return { start, end, node: part };
      const strength = Math.max(...inside.map((i) => Math.max(0, keyphrases[i].score) / best));
      const kinds = [...new Set(inside.map(kindOf))].join(" ");
      const mark = h("mark", { class: kinds, data: { inside: inside.join(","), start, end, phrase: inside[0] }, style: { "--strength": strength } }, part);
      const before = marks.at(-1);
      if (before?.end === start && before.inside.some((i) => inside.includes(i))) {
        before.mark.classList.add("joins-right");
        mark.classList.add("joins-left");
      }
      marks.push({ start, end, mark, inside });
      return { start, end, node: mark };
    });
    element.replaceChildren(...withHeading(parts, title ? title.length : firstLine(content)));
    choose(-1, 0);
  }

  /** Make place number `at` of phrase `i` the current one, and bring it into view. */
  function choose(i, at, { scroll = true } = {}) {
    chosen = i;
    const [start, end] = places[i]?.[at] ?? [-1, -1];
    const all = new Set((places[i] ?? []).flatMap(([from, to]) => marks.filter((one) => one.start >= from && one.end <= to)));
    let first = null;
    for (const one of marks) {
      const current = one.start >= start && one.end <= end;
      one.mark.classList.toggle("same", all.has(one));
      one.mark.classList.toggle("current", current);
      if (current) first ??= one.mark;
    }
    if (first && scroll) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      first.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
    }
  }

  /** Which place of phrase `i` begins at or covers the unit `start`. */
  function placeAt(i, start) {
    return Math.max(0, places[i].findIndex(([from, to]) => from <= start && start < to));
  }

  /** The passage around place number `at` of phrase `i`. */
  function quoteOf(i, at) {
    const place = places[i]?.[at];
    return place ? quote(content, ...place) : null;
  }

  return { element, show, choose, quoteOf };
}

/** The end of the first line that is not empty, if it looks like a heading. */
function firstLine(content) {
  const start = content.search(/\S/);
  const end = content.indexOf("\n", start);
  return end > start && end - start < 160 && !/[.,;:]$/.test(content.slice(start, end).trim()) ? end : 0;
}

/** The parts, those of the first `length` units inside a heading. */
function withHeading(parts, length) {
  const heading = h("h2", { class: "reader-title" });
  const rest = [];
  for (const { start, end, node } of parts) {
    if (end <= length) heading.append(node);
    else if (start >= length) rest.push(node);
    else if (typeof node === "string") {
      heading.append(node.slice(0, length - start));
      rest.push(node.slice(length - start));
    } else rest.push(node);
  }
  if (typeof rest[0] === "string") rest[0] = rest[0].replace(/^\s+/, "");
  if (heading.firstChild instanceof Text) heading.firstChild.data = heading.firstChild.data.trimStart(); // front matter
  return length ? [heading, ...rest] : rest;
}
