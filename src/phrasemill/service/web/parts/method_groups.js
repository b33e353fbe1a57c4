/** Which methods the page shows first, and the groups of the others. */

/** The first choices, by what a person wants; `answer` is that of `v1/methods`. */
export function quickChoices(answer) {
  const usable = new Set(answer.methods.filter((one) => one.available).map((one) => one.name));
  return [
    { words: "Fast", method: answer.default, about: "Good, and answers at once." },
    { words: "Best", method: answer.best, about: "A network reads the whole text." },
    { words: "New phrases", method: "generator", about: "Also writes phrases that the text does not contain." },
  ].filter((one, i, all) => usable.has(one.method) && all.findIndex((other) => other.method === one.method) === i);
}

const GROUPS = [
  ["Graphs of words", ["textrank", "singlerank", "positionrank", "topicrank", "topicalpagerank", "multipartiterank"]],
  ["Counts and positions", ["tfidf", "kpminer", "yake", "rake", "firstphrases"]],
  ["Embeddings", ["embedrank", "mderank", "bertkpe"]],
  ["Networks that write", ["generator", "catseq", "catseqd", "copyrnn"]],
  ["Trained", ["learned", "encoder", "kea", "maui", "maxent", "naivebayes"]],
];
const OTHERS = "Others";

/** `methods` in groups, `[title, methods]`; a group without methods is left out. */
export function grouped(methods) {
  const titleOf = (name) => GROUPS.find(([, names]) => names.includes(name))?.[0] ?? OTHERS;
  return [...GROUPS.map(([title]) => title), OTHERS]
    .map((title) => [title, methods.filter((one) => titleOf(one.name) === title)])
    .filter(([, found]) => found.length);
}
