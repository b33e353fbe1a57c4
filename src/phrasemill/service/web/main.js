/** The page: tabs, theme, history, and one view per tab, each created when it is first opened. */

import { go, latestAddress, readAddress } from "./parts/address.js";
import { h } from "./parts/elements.js";
import { droppable } from "./parts/file_drop.js";
import { historyButton } from "./parts/history_dialog.js";
import { receiveDropped, setOpeners } from "./parts/received_files.js";
import { during } from "./parts/status.js";
import { tabs } from "./parts/tabs.js";
import { themeButton } from "./parts/theme_button.js";
import { readFiles } from "./parts/upload.js";
import { readWithPages } from "./parts/jobs.js";

const VIEWS = {
  document: () => import("./views/document.js"),
  folder: () => import("./views/folder.js"),
  set: () => import("./views/set.js"),
  contrast: () => import("./views/contrast.js"),
  compare: () => import("./views/compare.js"),
  evaluate: () => import("./views/evaluate.js"),
};
const opened = new Map();

function viewOf(name) {
  if (!opened.has(name)) opened.set(name, VIEWS[name]().then(({ view }) => view(document.getElementById(`view-${name}`))));
  return opened.get(name);
}

async function open(name, state) {
  (await viewOf(name)).shown?.(state);
}

history.scrollRestoration = "manual"; // views know where they were left
const notices = document.getElementById("notices");
setOpeners({
  async document(file, place) {
    const read = /\.pdf$/i.test(file.name) ? readWithPages : readFiles; // a job draws the pages of a PDF
    const found = await during(place, "Reading", (signal, tell) => read([file], { signal, tell }), () => this.document(file, place));
    if (!found) return;
    place.replaceChildren();
    if (found.documents.length > 1) await this.folder([file], place);
    else {
      (await viewOf("document")).take(found.documents[0]);
      // After it, so that the address names the document: what follows the address would show the start again.
      if (readAddress().view !== "document") go(latestAddress("document"));
    }
  },
  async folder(files) {
    const view = await viewOf("folder");
    if (readAddress().view !== "folder") go("#folder");
    view.take(files);
  },
  collecting: Object.fromEntries(["set", "contrast", "evaluate"].map((name) => [name, async (files) => (await viewOf(name)).collect(files)])),
});
droppable(document.body, (files) => receiveDropped(files, notices));
document.body.append(h("div", { class: "drop-veil page-veil", "aria-hidden": "true" }, "Drop to read"));

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
themeButton(document.getElementById("theme"));
historyButton(document.getElementById("history"));
tabs(document.getElementById("tabs"), open);
