/** The page: tabs, theme, and one view per tab, each created when it is first opened. */

import { tabs } from "./parts/tabs.js";
import { themeButton } from "./parts/theme_button.js";

const VIEWS = {
  document: () => import("./views/document.js"),
  compare: () => import("./views/compare.js"),
  set: () => import("./views/set.js"),
  contrast: () => import("./views/contrast.js"),
  evaluate: () => import("./views/evaluate.js"),
};
const opened = new Map();

async function open(name) {
  if (!opened.has(name)) {
    opened.set(name, null);
    const { view } = await VIEWS[name]();
    opened.set(name, view(document.getElementById(`view-${name}`)));
  }
  opened.get(name)?.shown?.();
}

themeButton(document.getElementById("theme"));
tabs(document.getElementById("tabs"), open);
