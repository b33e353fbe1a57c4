/** The rows of a folder: how the service's rows are shown, which are, and in which order. */

import { Problem } from "./api.js";
import { withoutName } from "./upload.js";

/** A row as the table shows it. */
export function shownRow(row) {
  const name = row.title || row.id || row.file || `Document ${row.number}`;
  const problem = row.problem ? new Problem(row.problem) : null;
  const reason = problem ? withoutName(problem.message || "unknown reason", row.file ?? "") : "";
  return { keyphrases: [], ...row, name, reason, choices: problem?.choices ?? [] };
}

/** The columns of which one has the text in all files that lack one of a usual name. */
export function choicesOf(rows) {
  const [first, ...others] = rows.filter((row) => row.choices.length).map((row) => row.choices);
  return first?.filter((name) => others.every((one) => one.includes(name))) ?? [];
}

const COLUMNS = {
  number: (row) => row.number,
  name: (row) => row.name.toLowerCase(),
  language: (row) => row.language ?? "",
};

/** The rows that match: `filter` is part of a phrase or of a name, `failed` leaves only those that failed. */
export function arranged(rows, { sort = "number", falling = false, filter = "", failed = false } = {}) {
  const value = COLUMNS[sort] ?? COLUMNS.number;
  const matches = (row) => !filter || row.keyphrases.some((one) => one.text.toLowerCase().includes(filter)) || row.name.toLowerCase().includes(filter);
  const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.number - b.number);
  const found = rows.filter((row) => (!failed || row.status === "failed") && matches(row)).sort(order);
  return falling ? found.reverse() : found;
}
