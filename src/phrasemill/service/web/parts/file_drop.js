/** Dropping files and folders on an element, or choosing them by a button. */

import { h, icon, uid } from "./elements.js";

const CLIP = "M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M4 13v2.5h12V13";
const FOLDER = "M3 6.5A1.5 1.5 0 0 1 4.5 5h3l1.5 2h6.5A1.5 1.5 0 0 1 17 8.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z";

/** Let files be dropped on `element`; while they hover over it, it has the class `over`. What is dropped here does not
    reach the elements around. */
export function droppable(element, onFiles) {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files") && !event.defaultPrevented;
  const show = (over) => element.classList?.toggle("over", over);
  element.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth += 1;
    show(true);
  });
  element.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  element.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) show(false);
  });
  element.addEventListener("drop", async (event) => {
    depth = 0;
    show(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = await dropped(event.dataTransfer);
    if (files.length) onFiles(files);
  });
}

/** The files that were dropped, those in folders with their `path`. */
async function dropped(transfer) {
  // Entries must be taken before the first pause: the list is empty after it.
  const entries = [...transfer.items].map((one) => one.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((one) => one.isDirectory)) return [...transfer.files];
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found.sort((a, b) => a.path.localeCompare(b.path));
}

async function walk(entry, found) {
  if (entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); }).catch(() => null);
    if (file) found.push(Object.assign(file, { path: entry.fullPath.replace(/^\//, "") }));
    return;
  }
  const folder = entry.createReader();
  for (;;) { // browsers give a hundred entries at a time
    const some = await new Promise((resolve, reject) => { folder.readEntries(resolve, reject); }).catch(() => []);
    if (!some.length) return;
    for (const one of some) await walk(one, found);
  }
}

/** A button that opens the system's dialog for files, or for a folder. */
export function fileButton(words, onFiles, { accept = "", multiple = true, kind = "", folder = false } = {}) {
  const id = uid("file");
  const input = h("input", {
    type: "file", id, class: "sr-only", accept: folder ? null : accept, multiple, webkitdirectory: folder,
    onchange: () => {
      const files = [...input.files].filter((one) => !(one.webkitRelativePath || "").split("/").some((part) => part.startsWith(".")));
      input.value = "";
      if (files.length) onFiles(files);
    },
  });
  return h("span", { class: "file" }, input, h("label", { class: `button ${kind}`, for: id }, icon(folder ? FOLDER : CLIP), words));
}
