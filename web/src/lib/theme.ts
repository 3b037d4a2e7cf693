import { create } from "zustand";
import { storage } from "./storage.ts";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const remembered = (): Theme => THEMES.find((theme) => theme === storage.read("theme")) ?? "system";
const isDark = (theme: Theme): boolean => theme === "dark" || (theme === "system" && systemDark.matches);

type ThemeState = {
  readonly theme: Theme;
  readonly dark: boolean;
  readonly setTheme: (theme: Theme) => void;
};

/** The chosen theme and whether it is dark now. "system" follows the system while the page is open. */
export const useTheme = create<ThemeState>((set) => ({
  theme: remembered(),
  dark: isDark(remembered()),
  setTheme: (theme) => {
    storage.write("theme", theme === "system" ? undefined : theme);
    document.documentElement.classList.toggle("dark", isDark(theme));
    set({ theme, dark: isDark(theme) });
  },
}));

systemDark.addEventListener("change", () => {
  const { theme, setTheme } = useTheme.getState();
  if (theme === "system") setTheme("system");
});
