import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./ui/button.tsx";
import { currentLanguage, setLanguage } from "../lib/text/i18n.ts";
import { text } from "../lib/text/i18n-source.ts";
import { type Theme, THEMES, useTheme } from "../lib/theme.ts";

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  light: text("主题：浅色"),
  dark: text("主题：深色"),
  system: text("主题：跟随系统"),
};
const THEME_ICONS = { light: Sun, dark: Moon, system: Monitor } as const;

/** Cycles through light, dark and the system's theme. */
export function ThemeButton() {
  const { t } = useTranslation();
  const { theme, setTheme } = useTheme();
  const Icon = THEME_ICONS[theme];
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const label = t(THEME_LABELS[theme]);
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} onClick={() => setTheme(next)}>
      <Icon />
    </Button>
  );
}

// The name of each language in that language.
const OTHER_LANGUAGE = { zh: "English", en: "\u4e2d\u6587" } as const;

/** Switches between Chinese and English. */
export function LanguageButton() {
  useTranslation();
  const current = currentLanguage();
  const label = OTHER_LANGUAGE[current];
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      lang={current === "zh" ? "en" : "zh-CN"}
      onClick={() => void setLanguage(current === "zh" ? "en" : "zh")}
    >
      <Languages />
    </Button>
  );
}
