import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { storage } from "../storage.ts";

/** The languages of the console. */
export type Language = "zh" | "en";

// Texts of a single area are left out of the first load.
const AREAS = {
  /** What pages with header and sidebar share. */
  console: async () => (await import("../../locales/en/console.json", { with: { type: "json" } })).default,
  "sign-in": async () => (await import("../../locales/en/sign-in.json", { with: { type: "json" } })).default,
  setup: async () => (await import("../../locales/en/setup.json", { with: { type: "json" } })).default,
  start: async () => (await import("../../locales/en/start.json", { with: { type: "json" } })).default,
  dashboard: async () => (await import("../../locales/en/dashboard.json", { with: { type: "json" } })).default,
  "api-reference": async () =>
    (await import("../../locales/en/api-reference.json", { with: { type: "json" } })).default,
  pricing: async () => (await import("../../locales/en/pricing.json", { with: { type: "json" } })).default,
  status: async () => (await import("../../locales/en/status.json", { with: { type: "json" } })).default,
  logs: async () => (await import("../../locales/en/logs.json", { with: { type: "json" } })).default,
  inbox: async () => (await import("../../locales/en/inbox.json", { with: { type: "json" } })).default,
  users: async () => (await import("../../locales/en/users.json", { with: { type: "json" } })).default,
  audit: async () => (await import("../../locales/en/audit.json", { with: { type: "json" } })).default,
  declared: async () => (await import("../../locales/en/declared.json", { with: { type: "json" } })).default,
  billing: async () => (await import("../../locales/en/billing.json", { with: { type: "json" } })).default,
  channels: async () => (await import("../../locales/en/channels.json", { with: { type: "json" } })).default,
  "channel-editor": async () =>
    (await import("../../locales/en/channel-editor.json", { with: { type: "json" } })).default,
  messages: async () => (await import("../../locales/en/messages.json", { with: { type: "json" } })).default,
  playground: async () => (await import("../../locales/en/playground.json", { with: { type: "json" } })).default,
  profile: async () => (await import("../../locales/en/profile.json", { with: { type: "json" } })).default,
  "redemption-codes": async () =>
    (await import("../../locales/en/redemption-codes.json", { with: { type: "json" } })).default,
  tasks: async () => (await import("../../locales/en/tasks.json", { with: { type: "json" } })).default,
  tokens: async () => (await import("../../locales/en/tokens.json", { with: { type: "json" } })).default,
  settings: async () => (await import("../../locales/en/settings.json", { with: { type: "json" } })).default,
  "settings-operation": async () =>
    (await import("../../locales/en/settings-operation.json", { with: { type: "json" } })).default,
  "settings-models": async () =>
    (await import("../../locales/en/settings-models.json", { with: { type: "json" } })).default,
  "settings-system": async () =>
    (await import("../../locales/en/settings-system.json", { with: { type: "json" } })).default,
  "settings-other": async () =>
    (await import("../../locales/en/settings-other.json", { with: { type: "json" } })).default,
} as const;

/** An area of the console whose English texts are loaded when it is opened. */
export type TextArea = keyof typeof AREAS;

const entered = new Set<TextArea>();

const loadArea = async (area: TextArea): Promise<void> => {
  i18next.addResourceBundle("en", "translation", await AREAS[area]());
};

const loadEnglish = async (): Promise<void> => {
  const { default: common } = await import("../../locales/en/common.json", { with: { type: "json" } });
  i18next.addResourceBundle("en", "translation", common);
  await Promise.all([...entered].map(loadArea));
};

const showLanguage = (language: Language): void => {
  document.documentElement.lang = language === "en" ? "en" : "zh-CN";
};

/** The current language. */
export const currentLanguage = (): Language => (i18next.language === "en" ? "en" : "zh");

const LANGUAGE_KEY = "language";

/** The language that the visitor chose, if any. */
function readChoice(): Language | undefined {
  const chosen = storage.read(LANGUAGE_KEY);
  return chosen === "zh" || chosen === "en" ? chosen : undefined;
}

/** The first language of a browser's list that the console has, English where it has none of them. */
export function findBrowserLanguage(tags: readonly string[]): Language {
  const own = tags.map((tag) => tag.toLowerCase().split("-")[0]);
  return own.find((tag) => tag === "zh" || tag === "en") ?? "en";
}

/** Loads the texts of an area, before its page is shown and after a change of language. */
export async function loadAreaTexts(area: TextArea): Promise<void> {
  entered.add(area);
  if (currentLanguage() === "en") await loadArea(area);
}

async function switchLanguage(language: Language): Promise<void> {
  if (language === "en") await loadEnglish();
  await i18next.changeLanguage(language);
  showLanguage(language);
}

/** Switches the language and stores it. */
export async function setLanguage(language: Language): Promise<void> {
  await switchLanguage(language);
  storage.write(LANGUAGE_KEY, language);
}

/** Shows the site's language to a visitor who has not chosen one; auto leaves the browser's. */
export async function applySiteLanguage(language: Language | "auto"): Promise<void> {
  if (language === "auto" || readChoice() !== undefined || language === currentLanguage()) return;
  await switchLanguage(language);
}

/** Starts with the language that the visitor chose, else the browser's. Keys are the Chinese sentences, so Chinese needs no file. */
export async function startI18n(): Promise<void> {
  const language = readChoice() ?? findBrowserLanguage(navigator.languages);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    // Colons and dots occur in sentences; "_" only marks a plural form.
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
