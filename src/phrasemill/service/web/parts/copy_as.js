/** What is on the screen as a command: curl, Python, or the command line. The token itself is never copied. */

const TOKEN = "phrasemill-token";

/** `request` is the body of `v1/extract` or `v1/sets`; `files` are names of files, if the texts came from such. */
export function commands({ path, request, files = [] }) {
  return [
    { label: "curl", extension: "sh", render: () => curl(path, request, files) },
    { label: "Python", extension: "py", render: () => (path === "v1/sets" ? pythonSet(request) : python(request, files)) },
    { label: "Command line", extension: "sh", render: () => shell(path, request, files) },
  ];
}

function curl(path, request, files) {
  const token = sessionStorage.getItem(TOKEN) ? " \\\n  -H \"Authorization: Bearer $PHRASEMILL_TOKEN\"" : "";
  const address = quoted(new URL(files.length && path === "v1/extract" ? "v1/files" : path, document.baseURI).href.split("#")[0]);
  if (files.length && path === "v1/extract") {
    const fields = Object.entries(optionsOf(request)).map(([name, value]) => ` \\\n  --form-string ${quoted(`${name}=${[value].flat().join("\n")}`)}`);
    return `curl ${address}${token}${files.map((one) => ` \\\n  -F ${quoted(`files=@"${one.replaceAll('"', '\\"')}"`)}`).join("")}${fields.join("")}\n`;
  }
  return `curl ${address}${token} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(request))}\n`;
}

function python(request, files) {
  const options = Object.entries(optionsOf(request)).map(([name, value]) => `, ${name}=${literal(value)}`).join("");
  const { text, title } = request.documents[0];
  const given = files.length
    ? `from phrasemill.readers import read\n\ndocument = read(${literal(files[0])})\n`
    : `from phrasemill import Document\n\ndocument = Document("", ${literal(text)}${title ? `, ${literal(title)}` : ""})\n`;
  return `from phrasemill import extract\n${given}for keyphrase in extract(document${options}):\n    print(keyphrase.text, keyphrase.score)\n`;
}

function pythonSet({ documents, against, ...rest }) {
  const list = (some) => `[\n${some.map(({ id, text, title = "" }) => `    Document(${[id, text, title].map(literal).join(", ")}),\n`).join("")}]`;
  const options = Object.entries(optionsOf(rest)).map(([name, value]) => `, ${name}=${literal(value)}`).join("");
  return `from phrasemill import Document, extract_set\n\ndocuments = ${list(documents)}\n${against ? `others = ${list(against)}\n` : ""}`
    + `for keyphrase in extract_set(documents${against ? ", against=others" : ""}${options}):\n    print(keyphrase.text, keyphrase.score)\n`;
}

const FLAGS = { method: "--method", top: "--top", language: "--language", longest: "--longest", shortest: "--shortest", stopwords: "--stopwords", replace_stopwords: "--replace-stopwords", diversity: "--diversity", exclude: "--exclude", boost: "--boost" };

function shell(path, request, files) {
  const options = optionsOf(request);
  const flags = Object.entries(options).filter(([name]) => FLAGS[name])
    .flatMap(([name, value]) => (value === true ? ` ${FLAGS[name]}` : [value].flat().map((one) => ` ${FLAGS[name]} ${quoted(String(one))}`))).join("");
  const known = options.candidates ? ` --candidates-file <(printf '%s\\n' ${options.candidates.map(quoted).join(" ")})` : "";
  if (path === "v1/sets") return `phrasemill extract --set folder/${request.against ? " --against other-folder/" : ""}${flags}\n`;
  if (files.length) return `phrasemill extract ${files.map(quoted).join(" ")}${flags}${known}\n`;
  const { text, title } = request.documents[0];
  return `phrasemill extract -${flags}${known} <<'TEXT'\n${title ? `${title}\n\n` : ""}${text}\nTEXT\n`;
}

/** The options of a request that differ from nothing. */
function optionsOf({ documents, against, explain, id, ...rest }) {
  const language = documents?.[0]?.language;
  return Object.fromEntries(Object.entries({ ...rest, ...(language ? { language } : {}) }).filter(([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length)));
}

/** A word of a POSIX shell. */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A literal of Python; JSON's strings and numbers are. */
function literal(value) {
  if (value === true || value === false) return value ? "True" : "False";
  return Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : JSON.stringify(value);
}
