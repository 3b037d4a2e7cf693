import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { type Language, LANGUAGES, setLanguage } from "../../lib/i18n.ts";
import { text } from "../../lib/i18n-source.ts";
import { type Theme, THEMES, useTheme } from "../../lib/theme.ts";

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  light: text("浅色"),
  dark: text("深色"),
  system: text("跟随系统"),
};
const THEME_ICONS = { light: Sun, dark: Moon, system: Monitor } as const;

/** Light, dark, or as the system has it. */
export function ThemeMenu() {
  const { t } = useTranslation();
  const { theme, dark, setTheme } = useTheme();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("主题")}>
          {dark ? <Moon /> : <Sun />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
          {THEMES.map((choice) => {
            const Icon = THEME_ICONS[choice];
            return (
              <DropdownMenuRadioItem key={choice} value={choice}>
                <Icon aria-hidden />
                {t(THEME_LABELS[choice])}
              </DropdownMenuRadioItem>
            );
          })}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The names of the languages in themselves; they are the same in every language. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { zh: "\u4e2d\u6587", en: "English" };

/** Chinese or English. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("语言")}>
          <Languages />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={i18n.language} onValueChange={(value) => void setLanguage(value as Language)}>
          {LANGUAGES.map((language) => (
            <DropdownMenuRadioItem key={language} value={language}>
              {LANGUAGE_NAMES[language]}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
