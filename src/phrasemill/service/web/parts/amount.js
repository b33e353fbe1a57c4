/** How many phrases: a slider that shows its number, and reports it when it stops moving. */

import { h, uid } from "./elements.js";

const REST = 160; // ms

export function amount({ value = 10, most = 40, onChange }) {
  const id = uid("amount");
  let timer = 0;
  const number = h("output", { for: id, class: "amount-number" }, String(value));
  const slider = h("input", {
    type: "range", id, min: 1, max: most, step: 1, value: String(value),
    oninput: () => {
      number.textContent = slider.value;
      paint();
      clearTimeout(timer);
      timer = setTimeout(() => onChange(Number(slider.value)), REST);
    },
  });
  const paint = () => slider.style.setProperty("--filled", `${(100 * (slider.value - 1)) / (most - 1)}%`);
  slider.value = String(value);
  paint();
  return {
    element: h("div", { class: "amount" }, h("label", { class: "label", for: id }, "How many"), slider, number),
    get value() { return Number(slider.value); },
  };
}
