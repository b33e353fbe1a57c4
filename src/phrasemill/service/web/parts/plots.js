/** Small plots, drawn as SVG: bars with intervals, lines, and distributions over documents. */

import { s } from "./elements.js";

const HEIGHT = 260;
const LEFT = 44;
const BOTTOM = 36;
const TOP = 12;

/** Drawn narrower on narrow screens, so that labels stay as large as text. */
const width = () => (matchMedia("(max-width: 40rem)").matches ? 340 : 600);

/** For each group a bar of each series: `series = [{ name, values: [{ value, low, high }] }]`, values from 0 to 1. */
export function bars({ groups, series, title }) {
  const highest = Math.max(0.01, ...series.flatMap((one) => one.values.map((bar) => Math.max(bar.value, bar.high ?? 0))));
  const frame = axes(highest, title);
  const room = (frame.width - LEFT) / groups.length;
  const thick = Math.min(56, (0.72 * room) / series.length);
  groups.forEach((group, j) => {
    const middle = LEFT + (j + 0.5) * room;
    series.forEach((one, i) => {
      const { value, low, high } = one.values[j];
      const x = middle + (i - series.length / 2) * thick;
      frame.svg.append(s("rect", { x: x + 1, y: frame.y(value), width: thick - 2, height: frame.y(0) - frame.y(value), class: `series-${i % 6}`, rx: 2 },
        s("title", {}, `${one.name}, ${group}: ${percent(value)}`)));
      if (high > low) {
        const at = x + thick / 2;
        frame.svg.append(s("path", { class: "whisker", d: `M${at} ${frame.y(low)}V${frame.y(high)}M${at - 4} ${frame.y(low)}h8M${at - 4} ${frame.y(high)}h8` }));
      }
    });
    frame.svg.append(s("text", { x: middle, y: HEIGHT - BOTTOM + 20, class: "plot-label middle" }, group));
  });
  return frame.svg;
}

/** Values from 0 to 1 against labelled places: `series = [{ name, values: [number] }]`. */
export function lines({ labels, series, title }) {
  const frame = axes(Math.max(0.01, ...series.flatMap((one) => one.values)), title);
  const x = (j) => LEFT + ((j + 0.5) * (frame.width - LEFT)) / labels.length;
  series.forEach(({ name, values }, i) => {
    frame.svg.append(s("path", { class: `line series-${i % 6}`, d: values.map((value, j) => `${j ? "L" : "M"}${x(j)} ${frame.y(value)}`).join("") }));
    values.forEach((value, j) => frame.svg.append(s("circle", { cx: x(j), cy: frame.y(value), r: 3, class: `series-${i % 6}` },
      s("title", {}, `${name}, k = ${labels[j]}: ${percent(value)}`))));
  });
  labels.forEach((label, j) => {
    if (j === 0 || (j + 1) % 5 === 0) frame.svg.append(s("text", { x: x(j), y: HEIGHT - BOTTOM + 20, class: "plot-label middle" }, label));
  });
  return frame.svg;
}

/** How many documents have a value in each of ten equal parts of 0 to 1: one group of bars per part, as fractions. */
export function spread({ series, title }) {
  const groups = Array.from({ length: 10 }, (_, i) => `${10 * i}+`);
  const counted = series.map(({ name, values }) => {
    const counts = groups.map(() => 0);
    for (const value of values) counts[Math.max(0, Math.min(9, Math.floor(value * 10)))] += 1;
    return { name, values: counts.map((count) => ({ value: count / Math.max(1, values.length) })) };
  });
  return bars({ groups, series: counted, title });
}

function axes(highest, title) {
  const step = [0.02, 0.05, 0.1, 0.2, 0.25].find((one) => highest <= 5 * one) ?? 0.5;
  const top = step * Math.ceil(highest / step);
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const wide = width();
  const svg = s("svg", { viewBox: `0 0 ${wide} ${HEIGHT}`, class: "plot", role: "img", "aria-label": title }, s("title", {}, title));
  for (let value = 0; value <= top + 1e-9; value += step) {
    svg.append(s("line", { x1: LEFT, x2: wide, y1: y(value), y2: y(value), class: value ? "grid" : "axis" }),
      s("text", { x: LEFT - 8, y: y(value) + 4, class: "plot-label end" }, percent(value, 0)));
  }
  return { svg, y, width: wide };
}

/** Scores as papers print them: times a hundred. */
export function percent(value, places = 1) {
  return (100 * value).toFixed(places);
}
