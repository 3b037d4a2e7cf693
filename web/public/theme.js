// Sets theme and language on <html> before the first paint. A file of its own because the page allows no inline script.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read("theme");
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
  const own = navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag === "zh" || tag === "en");
  document.documentElement.lang = (read("language") ?? own) === "zh" ? "zh-CN" : "en";
})();
