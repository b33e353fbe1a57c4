/** Tabs by the rules of the ARIA practices: one stop of the tab key, arrows between them; the address has the open one. */

import { latestAddress, readAddress } from "./address.js";

export function tabs(list, open) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const nameOf = (tab) => tab.id.replace("tab-", "");

  function select(tab, { focus = false } = {}) {
    for (const one of all) {
      const chosen = one === tab;
      one.setAttribute("aria-selected", String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      document.getElementById(one.getAttribute("aria-controls")).hidden = !chosen;
    }
    if (focus) tab.focus();
    reveal(tab);
    open(nameOf(tab), readAddress());
  }

  /** Scrolls the list alone: `scrollIntoView` would also move where the tab key starts. */
  function reveal(tab) {
    const inside = tab.getBoundingClientRect(), around = list.getBoundingClientRect();
    list.scrollLeft += Math.min(0, inside.left - around.left) + Math.max(0, inside.right - around.right);
  }

  function choose(tab) {
    const address = latestAddress(nameOf(tab));
    if (location.hash !== address) history.pushState(null, "", address);
    select(tab, { focus: true });
  }

  const fromAddress = () => all.find((tab) => nameOf(tab) === readAddress().view) ?? all[0];
  const follow = () => { if (location.hash !== "#main") select(fromAddress()); };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    choose(all[(to + all.length) % all.length]);
  });
  addEventListener("popstate", follow);
  follow();
}
