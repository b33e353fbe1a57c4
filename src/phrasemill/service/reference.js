// The forms of the page at /docs: send a request as it was edited, and show the answer as it arrives.

const LONGEST = 200_000; // characters of an answer that are shown
const KEPT = "phrasemill-token"; // where the page keeps the token, while its tab is open
const token = document.getElementById("token");
token.value = sessionStorage.getItem(KEPT) ?? "";
token.addEventListener("change", () => sessionStorage.setItem(KEPT, token.value));

for (const hidden of document.querySelectorAll(".try, .token")) hidden.hidden = false;
for (const form of document.querySelectorAll(".try form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

/** Return the address of the request that a form describes, and its options for fetch. */
function request(form) {
  const { method, path } = form.dataset;
  const headers = token.value ? { authorization: `Bearer ${token.value}` } : {};
  const query = new URLSearchParams();
  const fields = new FormData();
  let address = path;
  let body;
  for (const control of form.elements) {
    const { name, value } = control;
    const place = control.dataset.in;
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query" && value) query.set(name, value);
    else if (place === "header" && value) headers[name] = value;
    else if (control.type === "file") for (const file of control.files) fields.append(name, file, file.name);
    else if (place === "form" && value) fields.append(name, value);
    else if (name === "body" && value.trim()) {
      body = value;
      headers["content-type"] = "application/json";
    }
  }
  if (form.querySelector("[data-in=form]")) body = fields;
  return [query.size ? `${address}?${query}` : address, { method, headers, body }];
}

async function send(form) {
  const [status, answer, stop] = [".status", ".answer", ".stop"].map((name) => form.querySelector(name));
  const ending = new AbortController();
  stop.onclick = () => ending.abort();
  stop.hidden = false;
  answer.hidden = true;
  status.textContent = "Sending…";
  const began = performance.now();
  try {
    const [address, options] = request(form);
    const found = await fetch(address, { ...options, signal: ending.signal });
    status.textContent = `${found.status} ${found.statusText}`;
    await show(answer, found);
    status.textContent += ` · ${Math.round(performance.now() - began)} ms`;
  } catch (error) {
    status.textContent = ending.signal.aborted ? "Stopped" : `The request failed: ${error.message}`;
  }
  stop.hidden = true;
}

/** Show an answer: JSON indented, events and text as they come, images and files as a link. */
async function show(element, found) {
  const kind = found.headers.get("content-type") ?? "";
  element.replaceChildren();
  element.hidden = found.status === 204;
  if (kind.startsWith("image/") || found.headers.has("content-disposition")) {
    element.append(await download(found));
  } else if (/^application\/(problem\+)?json/.test(kind)) {
    element.textContent = shortened(JSON.stringify(await found.json(), null, 2));
  } else if (found.body) {
    const reader = found.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      element.textContent = shortened(element.textContent + part.value);
    }
  }
}

async function download(found) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await found.blob());
  link.download = /filename="([^"]+)"/.exec(found.headers.get("content-disposition"))?.[1] ?? "page.png";
  link.textContent = `Save ${link.download}`;
  return link;
}

function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… and more` : text;
}
