/** Scores of systems: a table, the signatures, and plots. */

import { h, plural, printed, uid } from "./elements.js";
import { csv, exportMenu, json } from "./exports.js";
import { bars, lines, percent, spread } from "./plots.js";

/** The elements that show the answer of `/v1/evaluate` for each system. */
export function report({ systems, shares: isShare, differences, curves }) {
  const metrics = Object.keys(systems[0].scores);
  const shares = metrics.filter((one) => isShare[one]);
  return [
    h("div", { class: "panel-head" }, h("h2", {}, "Scores"), exportMenu({ name: "scores", formats: formats(systems, metrics) })),
    fit(systems),
    columns(table(systems, metrics, shares), shares.length ? plots(systems, shares, curves) : []),
    differences.length ? tests(differences, isShare) : null,
    signatures(systems),
  ].filter(Boolean);
}

/** The table above the last plot, the others beside them. */
function columns(scores, [overall, spreading, curve]) {
  if (!overall) return scores;
  return h("div", { class: "plots" }, h("div", {}, scores, curve), h("div", {}, overall, spreading));
}

function table(systems, metrics, shares) {
  const shown = (value, metric) => (shares.includes(metric) ? percent(value) : printed(value, 2));
  const cell = (system, metric) => {
    const interval = system.intervals?.[metric];
    const best = systems.length > 1 && system.scores[metric] === Math.max(...systems.map((one) => one.scores[metric]));
    return h("td", { class: "number" }, h(best ? "strong" : "span", {}, shown(system.scores[metric], metric)),
      interval ? h("span", { class: "interval" }, `${shown(interval[0], metric)} to ${shown(interval[1], metric)}`) : null);
  };
  return h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Scores" },
    h("table", { class: "score-table" },
      h("caption", {}, `${plural(Math.max(...Object.values(systems[0].documents)), "document")}. Times a hundred; below each, the 95% interval from resampling documents.`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Metric"), systems.map((one) => h("th", { scope: "col", class: "number" }, one.system)))),
      h("tbody", {}, metrics.map((metric) => h("tr", {}, h("th", { scope: "row" }, metric), systems.map((one) => cell(one, metric)))))));
}

/** Mismatches: documents without an answer, answers without a document. */
function fit(systems) {
  const lines = systems.flatMap((one) => [
    one.missing.length ? `${one.system}: ${plural(one.missing.length, "gold document")} without an answer (${some(one.missing)}).` : "",
    one.surplus.length ? `${one.system}: ${plural(one.surplus.length, "answer")} to no document of the gold (${some(one.surplus)}).` : "",
  ]).filter(Boolean);
  return lines.length ? h("div", { class: "notice" }, lines.map((one) => h("p", {}, one))) : null;
}

function some(ids) {
  return ids.slice(0, 5).join(", ") + (ids.length > 5 ? " …" : "");
}

function plots(systems, metrics, curves) {
  const legend = systems.length > 1
    ? h("ul", { class: "plot-legend" }, systems.map((one, i) => h("li", {}, h("span", { class: `swatch series-${i % 6}`, "aria-hidden": "true" }), one.system))) : null;
  const whiskers = metrics.slice(0, 8);
  const overall = bars({
    groups: whiskers, title: "Scores with 95% intervals",
    series: systems.map((one) => ({
      name: one.system,
      values: whiskers.map((metric) => {
        const [low, high] = one.intervals?.[metric] ?? [];
        return { value: one.scores[metric], low, high };
      }),
    })),
  });
  const parts = [h("figure", { class: "card" }, h("figcaption", {}, "Scores with 95% intervals"), legend, overall)];
  if (systems.every((one) => one.per_document)) parts.push(spreadFigure(systems, metrics));
  if (curves.F1?.length) {
    const ranks = curves.F1[0].values.map((_, i) => String(i + 1));
    parts.push(h("figure", { class: "card" }, h("figcaption", {}, "F1 of the first k phrases"),
      lines({ labels: ranks, series: curves.F1.map(({ system, values }) => ({ name: system, values })), title: "F1 of the first k phrases" })));
  }
  return parts;
}

/** The distribution of one metric over documents; a list chooses which. */
function spreadFigure(systems, metrics) {
  const id = uid("spread");
  const place = h("div");
  const select = h("select", { id, onchange: draw }, metrics.map((one) => h("option", { value: one }, one)));
  const preferred = metrics.find((one) => /^F1@/.test(one));
  if (preferred) select.value = preferred;
  function draw() {
    place.replaceChildren(spread({
      title: `Share of documents by ${select.value}`,
      series: systems.map((one) => ({ name: one.system, values: Object.values(one.per_document[select.value] ?? {}) })),
    }));
  }
  draw();
  return h("figure", { class: "card" },
    h("figcaption", { class: "spread-caption" }, "Percentage of documents by ", h("label", { class: "sr-only", for: id }, "Metric"), select), place);
}

/** Whether systems differ by more than chance. */
function tests(differences, isShare) {
  const shown = (value, metric) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${isShare[metric] ? percent(Math.abs(value)) : printed(Math.abs(value), 2)}`;
  const row = (one) => h("tr", {}, h("th", { scope: "row" }, one.metric), h("td", {}, `${one.b} − ${one.a}`),
    h("td", { class: "number" }, shown(one.difference, one.metric), h("span", { class: "interval" }, `${shown(one.interval[0], one.metric)} to ${shown(one.interval[1], one.metric)}`)),
    h("td", { class: "number" }, one.p_holm < 0.001 ? "< 0.001" : one.p_holm.toFixed(3)),
    h("td", {}, one.p_holm < 0.05 ? h("span", { class: "badge agree" }, "differs") : h("span", { class: "badge" }, "may be chance")));
  return h("section", { "aria-label": "Differences" }, h("h3", {}, "Do they differ?"),
    h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Differences between systems" },
      h("table", { class: "score-table" },
        h("caption", {}, "Paired bootstrap over documents, with Holm's correction."),
        h("thead", {}, h("tr", {}, ["Metric", "Systems", "Difference", "p"].map((one, i) => h("th", { scope: "col", class: i > 1 ? "number" : "" }, one)), h("td"))),
        h("tbody", {}, differences.map(row)))));
}

function signatures(systems) {
  const groups = new Map();
  for (const one of systems) {
    for (const signature of Object.values(one.signatures)) {
      const [name, ...rest] = signature.split("|");
      const key = rest.join("|");
      groups.set(key, (groups.get(key) ?? new Set()).add(name));
    }
  }
  return h("section", { class: "signatures", "aria-label": "Signatures" }, h("h3", {}, "Signature"),
    h("p", { class: "hint" }, "Quote it beside the scores; it says how they were computed."),
    [...groups].map(([rest, names]) => h("code", {}, `${[...names].join(" ")}|${rest}`)));
}

function formats(systems, metrics) {
  const header = ["system", "metric", "value", "low", "high", "documents", "signature"];
  const rows = systems.flatMap((one) => metrics.map((metric) =>
    [one.system, metric, one.scores[metric], ...(one.intervals?.[metric] ?? ["", ""]), one.documents[metric], one.signatures[metric]]));
  return [
    { label: "CSV", extension: "csv", render: () => csv([header, ...rows]) },
    { label: "JSON", extension: "json", render: () => json(systems) },
  ];
}
