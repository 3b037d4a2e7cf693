import settings from "./en/settings.json" with { type: "json" };

/** English for the sentences that only the settings show; loaded with them. */
export const englishSettings: Readonly<Record<string, string>> = { ...settings };
