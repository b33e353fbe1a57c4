/** Where files go that are dropped anywhere on the page, or chosen in the first view: one document is opened, several
    become a folder, and views that collect documents take them. */

import { readAddress } from "./address.js";
import { nameOf } from "./upload.js";

const COLLECTIONS = /\.(zip|csv|tsv|jsonl|ndjson|json|parquet|7z|tar|tgz|gz|bz2|xz|zst)$/i;
const openers = {};

/** Set the functions that open files: `document(file, place)`, `folder(files, place)`, and by view those that collect. */
export function setOpeners(more) {
  Object.assign(openers, more);
}

/** Open files; what goes wrong is shown at `place`. */
export function receive(files, place) {
  const single = files.length === 1 && !COLLECTIONS.test(nameOf(files[0]));
  return single ? openers.document(files[0], place) : openers.folder(files, place);
}

/** Open files that were dropped outside of any box. */
export function receiveDropped(files, place) {
  const collecting = openers.collecting?.[readAddress().view];
  return collecting ? collecting(files) : receive(files, place);
}
