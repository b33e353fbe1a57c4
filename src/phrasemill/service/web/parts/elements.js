/** Create elements. Text enters the page only as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** `h("p", { class: "lead", onclick: f, style: { "--share": 1 } }, "text", otherElement)` */
export function h(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

/** The same in SVG. */
export function s(tag, options = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), options, children);
}

function fill(element, options, children) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in PROPERTIES) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const PROPERTIES = { value: 1, checked: 1, disabled: 1, hidden: 1, htmlFor: 1, multiple: 1 };

/** A drawing of one path, for buttons. */
export function icon(path, { size = 18 } = {}) {
  return s("svg", { viewBox: "0 0 20 20", width: size, height: size, class: "icon", "aria-hidden": "true" }, s("path", { d: path }));
}

let count = 0;

/** Return an id that is unique on the page. */
export function uid(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}

/** Announce a change to screen readers. */
export function announce(words) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = words; });
}

/** A number of at most four significant digits: more of them say nothing. */
export function short(number) {
  return Number.isInteger(number) ? number : Number(number.toPrecision(4));
}

/** The same with at most `places` decimals, as it is shown. */
export function printed(number, places) {
  const room = number ? 3 - Math.floor(Math.log10(Math.abs(number))) : places;
  return short(number).toFixed(Math.max(0, Math.min(places, room)));
}

/** `plural(2, "phrase")` is "2 phrases". */
export function plural(number, noun, many = `${noun}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : many}`;
}
