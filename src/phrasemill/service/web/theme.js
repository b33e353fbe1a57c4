// Runs before the page is drawn, so that a chosen theme does not flash the other one first.
(() => {
  const chosen = localStorage.getItem("phrasemill-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
