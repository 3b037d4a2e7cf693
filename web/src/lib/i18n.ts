import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { storage } from "./storage.ts";

/** The languages of the console. */
export type Language = "zh" | "en";

// Texts that only one area of the console shows stay out of everybody's first load.
const AREAS = {
  audit: async () => (await import("../locales/en/audit.json", { with: { type: "json" } })).default,
  billing: async () => (await import("../locales/en/billing.json", { with: { type: "json" } })).default,
  channels: async () => (await import("../locales/en/channels.json", { with: { type: "json" } })).default,
  "channel-editor": async () => (await import("../locales/en/channel-editor.json", { with: { type: "json" } })).default,
  messages: async () => (await import("../locales/en/messages.json", { with: { type: "json" } })).default,
  playground: async () => (await import("../locales/en/playground.json", { with: { type: "json" } })).default,
  profile: async () => (await import("../locales/en/profile.json", { with: { type: "json" } })).default,
  "redemption-codes": async () =>
    (await import("../locales/en/redemption-codes.json", { with: { type: "json" } })).default,
  tasks: async () => (await import("../locales/en/tasks.json", { with: { type: "json" } })).default,
  tokens: async () => (await import("../locales/en/tokens.json", { with: { type: "json" } })).default,
  settings: async () => (await import("../locales/en/settings.json", { with: { type: "json" } })).default,
  "settings-operation": async () =>
    (await import("../locales/en/settings-operation.json", { with: { type: "json" } })).default,
  "settings-models": async () =>
    (await import("../locales/en/settings-models.json", { with: { type: "json" } })).default,
  "settings-system": async () =>
    (await import("../locales/en/settings-system.json", { with: { type: "json" } })).default,
  "settings-other": async () => (await import("../locales/en/settings-other.json", { with: { type: "json" } })).default,
} as const;

/** An area of the console whose English is loaded when it is entered. */
export type TextArea = keyof typeof AREAS;

const entered = new Set<TextArea>();

const loadArea = async (area: TextArea): Promise<void> => {
  i18next.addResourceBundle("en", "translation", await AREAS[area]());
};

const loadEnglish = async (): Promise<void> => {
  const { english } = await import("../locales/english.ts");
  i18next.addResourceBundle("en", "translation", english);
  await Promise.all([...entered].map(loadArea));
};

const showLanguage = (language: Language): void => {
  document.documentElement.lang = language === "en" ? "en" : "zh-CN";
};

/** The language in use. */
export const currentLanguage = (): Language => (i18next.language === "en" ? "en" : "zh");

/** Fetches the texts of an area, before its page is shown and again after a change of language. */
export async function loadAreaTexts(area: TextArea): Promise<void> {
  entered.add(area);
  if (currentLanguage() === "en") await loadArea(area);
}

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
