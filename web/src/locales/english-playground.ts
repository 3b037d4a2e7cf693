import playground from "./en/playground.json" with { type: "json" };

/** English for the sentences that only the playground shows; loaded with it. */
export const englishPlayground: Readonly<Record<string, string>> = { ...playground };
