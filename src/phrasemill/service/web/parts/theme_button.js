/** Light or dark: the system's setting until the reader chooses. */

export function themeButton(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const tell = () => button.setAttribute("aria-pressed", String(isDark()));

  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("phrasemill-theme", root.dataset.theme);
    tell();
  });
  system.addEventListener("change", tell);
  tell();
}
