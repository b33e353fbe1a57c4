/** The pages of a PDF as images, with the keyphrases marked on them. */

import { call, respond } from "./api.js";
import { h } from "./elements.js";

/** `document.pages` is the address of the pages; `document.keyphrases` are the phrases that marks count by. */
export function pageImages(document, { onPick }) {
  const element = h("div", { class: "pages", hidden: true });
  let sheets = [];
  let keyphrases = [];
  let asked = false;
  const observer = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) if (isIntersecting) load(target);
  }, { rootMargin: "600px" });

  async function open() {
    if (asked) return;
    asked = true;
    try {
      sheets = (await call(document.pages)).map((page) => ({ ...page, element: sheetOf(page) }));
      element.replaceChildren(...sheets.map((one) => one.element));
      show(keyphrases);
    } catch (error) {
      asked = false;
      element.replaceChildren(h("p", { class: "notice", role: "alert" }, `The pages cannot be shown. ${error.message}`));
    }
  }

  function sheetOf({ number, width, height }) {
    const page = h("figure", { class: "page", style: { "aspect-ratio": `${width} / ${height}` }, data: { number }, "aria-label": `Page ${number}` });
    observer.observe(page);
    return page;
  }

  async function load(page) {
    observer.unobserve(page);
    const response = await respond(`${document.pages}/${page.dataset.number}.png?width=1000`).catch(() => null);
    if (!response) return;
    page.prepend(h("img", { src: await dataAddress(await response.blob()), alt: `Page ${page.dataset.number}` }));
  }

  /** Mark the phrases that are shown; those of another method that the pages were not marked for have none. */
  function show(shown) {
    keyphrases = shown;
    const indexOf = new Map(shown.map((one, i) => [one.text.toLowerCase(), i]));
    for (const page of sheets) {
      for (const one of page.element.querySelectorAll(".page-mark")) one.remove();
      for (const { keyphrase, box: [x0, y0, x1, y1] } of page.marks) {
        const i = indexOf.get(document.keyphrases[keyphrase]?.text.toLowerCase());
        if (i === undefined) continue;
        page.element.append(h("mark", {
          class: "page-mark", data: { phrase: i }, onclick: () => onPick(i, 0),
          style: { left: `${100 * x0}%`, top: `${100 * y0}%`, width: `${100 * (x1 - x0)}%`, height: `${100 * (y1 - y0)}%` },
        }));
      }
    }
  }

  function choose(i, at, { scroll = true } = {}) {
    const marks = [...element.querySelectorAll(".page-mark")];
    for (const one of marks) one.classList.toggle("current", Number(one.dataset.phrase) === i);
    const mine = marks.filter((one) => Number(one.dataset.phrase) === i);
    if (scroll && !element.hidden) mine[at % (mine.length || 1)]?.scrollIntoView({ block: "center" });
  }

  /** Buttons that show the text, the pages, or both beside each other. */
  function switcher(text) {
    const turn = (chosen) => {
      text.hidden = chosen === "Pages";
      element.hidden = chosen === "Text";
      element.parentElement.classList.toggle("both", chosen === "Both");
      element.closest(".desk").classList.toggle("wide", chosen === "Both");
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.textContent === chosen));
      if (chosen !== "Text") open();
    };
    const buttons = ["Text", "Pages", "Both"].map((words) =>
      h("button", { class: `segment${words === "Both" ? " wide-only" : ""}`, type: "button", "aria-pressed": String(words === "Text"), onclick: () => turn(words) }, words));
    return h("div", { class: "segments reading", role: "group", "aria-label": "Show" }, buttons);
  }

  return { element, show, choose, switcher };
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
