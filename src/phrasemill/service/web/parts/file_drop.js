/** Dropping files on an element, or choosing them by a button. */

import { h, icon, uid } from "./elements.js";

const CLIP = "M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M4 13v2.5h12V13";

/** Let files be dropped on `element`; while they hover over it, it has the class `over`. */
export function droppable(element, onFiles) {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const show = (over) => element.classList.toggle("over", over);
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
  element.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    if (event.dataTransfer.files.length) onFiles([...event.dataTransfer.files]);
  });
}

/** A button that opens the system's file dialog. */
export function fileButton(words, onFiles, { accept = "", multiple = true, kind = "" } = {}) {
  const id = uid("file");
  const input = h("input", {
    type: "file", id, class: "sr-only", accept, multiple,
    onchange: () => {
      const files = [...input.files];
      input.value = "";
      if (files.length) onFiles(files);
    },
  });
  return h("span", { class: "file" }, input, h("label", { class: `button ${kind}`, for: id }, icon(CLIP), words));
}
