import tokens from "./en/tokens.json" with { type: "json" };

/** English for the sentences that only the pages of tokens show; loaded with them. */
export const englishTokens: Readonly<Record<string, string>> = { ...tokens };
