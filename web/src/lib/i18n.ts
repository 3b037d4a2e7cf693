import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { storage } from "./storage.ts";

/** The languages of the console. */
export type Language = "zh" | "en";

const loadEnglish = async (): Promise<void> => {
  if (i18next.hasResourceBundle("en", "translation")) return;
  const { english } = await import("../locales/english.ts");
  i18next.addResourceBundle("en", "translation", english);
};

const showLanguage = (language: Language): void => {
  document.documentElement.lang = language === "en" ? "en" : "zh-CN";
};

/** The language in use. */
export const currentLanguage = (): Language => (i18next.language === "en" ? "en" : "zh");

/** Switches the language and remembers it. */
export async function setLanguage(language: Language): Promise<void> {
  if (language === "en") await loadEnglish();
  await i18next.changeLanguage(language);
  storage.write("language", language);
  showLanguage(language);
}

/** Starts with the remembered language, Chinese where there is none. Keys are the Chinese sentences, so Chinese needs no file. */
export async function startI18n(): Promise<void> {
  const language: Language = storage.read("language") === "en" ? "en" : "zh";
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    // Colons and dots occur in the sentences; "_" only where a plural form is meant.
    resources: {},
    interpolation: { escapeValue: false },
    returnEmptyString: false,
  });
  if (language === "en") {
    await loadEnglish();
    await i18next.changeLanguage("en");
  }
  showLanguage(language);
}
