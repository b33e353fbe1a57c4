/** Ask for the token of the server, once for all requests. */

import { h } from "./elements.js";

let asking = null;

/** Return the token that was typed, or null. */
export function askToken({ wrong = false } = {}) {
  asking ??= ask(wrong).finally(() => { asking = null; });
  return asking;
}

function ask(wrong) {
  return new Promise((resolve) => {
    const field = h("input", { id: "token", type: "password", autocomplete: "current-password", required: true });
    const complaint = wrong ? h("p", { class: "field-error", role: "alert" }, "The server does not know that token.") : null;
    const dialog = h("dialog", { class: "dialog", "aria-labelledby": "token-title" },
      h("form", { method: "dialog" },
        h("h2", { id: "token-title" }, "Token needed"),
        h("p", {}, "This server answers only to those who have its token. It stays in this tab until you close it."),
        complaint,
        h("label", { class: "label", for: "token" }, "Token"),
        field,
        h("div", { class: "row end" },
          h("button", { class: "button quiet", type: "button", onclick: () => dialog.close("") }, "Cancel"),
          h("button", { class: "button primary", value: "go" }, "Continue"))));
    dialog.addEventListener("close", () => {
      const typed = field.value.trim();
      dialog.remove();
      resolve(dialog.returnValue === "go" && typed ? typed : null);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}
