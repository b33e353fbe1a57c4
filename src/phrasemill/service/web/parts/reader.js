/** The text with its keyphrases marked, and the pages of a PDF likewise; one place at a time is the current one. */

import { call, respond } from "./api.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./elements.js";
import { offsets, pieces } from "./spans.js";

const HEADING = 160; // characters of a first line that may be one
const AHEAD = "600px"; // pages are loaded this far before they are in view
const WIDTH = 1000; // pixels of a page

/** The places of keyphrases in the UTF-16 units of a text. */
export function placesIn(content, keyphrases) {
  const unit = offsets(content);
  return keyphrases.map((one) => one.spans.map(([start, end]) => [unit(start), unit(end)]));
}

/** The text of `document`; `places` are those of `keyphrases`. `onPick(index, place)` is called when a marked phrase is
    clicked; `at` is the chosen phrase, its place, and the step that led there, which may ask to bring it into view. */
export function Reader({ document, language, keyphrases, places, at, hidden, onPick }) {
  const element = useRef();
  const { content, title } = document;
  const parts = useMemo(() => marked(content, keyphrases, places), [content, keyphrases]);
  const [start, end] = places[at.phrase]?.[at.place] ?? [-1, -1];
  const mine = places[at.phrase] ?? [];

  useLayoutEffect(() => {
    if (at.walk.scroll) scrollTo(element.current.querySelector("mark.current"));
  }, [at.walk]);

  function pick(event) {
    const mark = event.target.closest("mark");
    if (!mark || !getSelection().isCollapsed) return;
    const inside = mark.dataset.inside.split(",").map(Number);
    const picked = inside[(inside.indexOf(at.phrase) + 1) % inside.length];
    const unit = Number(mark.dataset.start);
    onPick(picked, Math.max(0, places[picked].findIndex(([from, to]) => from <= unit && unit < to)));
  }

  const drawn = (part) => {
    if (!part.inside.length) return part.text;
    const within = ([from, to]) => part.start >= from && part.end <= to;
    const states = [part.joins, part.kinds, mine.some(within) && "same", within([start, end]) && "current"];
    return html`<mark
      class=${states.filter(Boolean).join(" ")} style=${{ "--strength": part.strength }}
      data-inside=${part.inside.join(",")} data-phrase=${part.inside[0]} data-start=${part.start}
    >${part.text}</mark>`;
  };
  const [heading, rest] = divided(parts, title ? title.length : firstLine(content));
  return html`<div
    class="reader" role="region" aria-label="The text" lang=${language ?? ""} hidden=${hidden}
    ref=${element} onclick=${pick}
  >
    ${heading.length > 0 && html`<h2 class="reader-title">${heading.map(drawn)}</h2>`}${rest.map(drawn)}
  </div>`;
}

function scrollTo(element) {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  element?.scrollIntoView({ block: "center", behavior });
}

/** The parts of a text: `{ start, end, text, inside }`; those inside phrases also with how they are drawn. */
function marked(content, keyphrases, places) {
  const parts = pieces(content, places).map((part) => ({
    ...part,
    text: content.slice(part.start, part.end),
    strength: Math.max(0, ...part.inside.map((i) => keyphrases[i].share ?? 0)),
    kinds: [...new Set(part.inside.map((i) => keyphrases[i].side))].join(" "),
  }));
  const together = (one, other) => other?.inside.some((i) => one.inside.includes(i));
  return parts.map((part, i) => {
    const joins = [together(part, parts[i - 1]) && "joins-left", together(part, parts[i + 1]) && "joins-right"];
    return { ...part, joins: joins.filter(Boolean).join(" ") };
  });
}

/** The end of the first line that is not empty, if it looks like a heading. */
function firstLine(content) {
  const start = content.search(/\S/);
  const end = content.indexOf("\n", start);
  return end > start && end - start < HEADING && !/[.,;:]$/.test(content.slice(start, end).trim()) ? end : 0;
}

/** The parts of the first `length` units, and the others. A mark across the border belongs to the others. */
function divided(parts, length) {
  if (!length) return [[], parts];
  const heading = parts.filter((one) => one.end <= length);
  const rest = parts.filter((one) => one.end > length);
  const [across] = rest;
  if (across && across.start < length && !across.inside.length) {
    heading.push({ ...across, text: across.text.slice(0, length - across.start) });
    rest[0] = { ...across, text: across.text.slice(length - across.start) };
  }
  if (rest[0] && !rest[0].inside.length) rest[0] = { ...rest[0], text: rest[0].text.trimStart() };
  if (heading[0] && !heading[0].inside.length) heading[0] = { ...heading[0], text: heading[0].text.trimStart() };
  return [heading, rest];
}

/** The pages of a PDF as images. `document.pages` is their address, `document.keyphrases` are the phrases that their
    marks count by; those of another method that the pages were not marked for have none. */
export function Pages({ document, keyphrases, at, onPick }) {
  const element = useRef();
  const [{ sheets, problem }, setPages] = useState({ sheets: [], problem: null });
  useEffect(() => {
    call(document.pages).then(
      (found) => setPages({ sheets: found, problem: null }),
      (error) => setPages({ sheets: [], problem: error }),
    );
  }, [document.pages]);
  useLayoutEffect(() => {
    const current = element.current?.querySelectorAll(".page-mark.current") ?? [];
    if (at.walk.scroll && current.length) scrollTo(current[at.place % current.length]);
  }, [at.walk]);

  if (problem) return html`<p class="notice" role="alert">The pages cannot be shown. ${problem.message}</p>`;
  const indexOf = new Map(keyphrases.map((one, i) => [one.text.toLowerCase(), i]));
  const percent = (share) => `${100 * share}%`;
  return html`<div class="pages" ref=${element}>
    ${sheets.map((sheet) => html`<${Page} key=${sheet.number} ...${sheet} address=${document.pages}>
      ${sheet.marks.map(({ keyphrase, box: [x0, y0, x1, y1] }) => {
        const i = indexOf.get(document.keyphrases[keyphrase]?.text.toLowerCase());
        const style = { left: percent(x0), top: percent(y0), width: percent(x1 - x0), height: percent(y1 - y0) };
        return i !== undefined && html`<mark
          class=${`page-mark${at.phrase === i ? " current" : ""}`} data-phrase=${i} style=${style}
          onclick=${() => onPick(i, 0)}
        />`;
      })}
    <//>`)}
  </div>`;
}

/** A page, whose image is loaded when it comes near. */
function Page({ number, width, height, address, children }) {
  const element = useRef();
  const [image, setImage] = useState(null);
  useEffect(() => {
    const observer = new IntersectionObserver(async ([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      observer.disconnect();
      const response = await respond(`${address}/${number}.png?width=${WIDTH}`).catch(() => null);
      if (response) setImage(await dataAddress(await response.blob()));
    }, { rootMargin: AHEAD });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  const style = { "aspect-ratio": `${width} / ${height}` };
  return html`<figure class="page" style=${style} aria-label=${`Page ${number}`} ref=${element}>
    ${image && html`<img src=${image} alt=${`Page ${number}`} />`}${children}
  </figure>`;
}

/** The content of a blob as an address; the page's policy allows images from such, not from blobs. */
function dataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}
