import profile from "./en/profile.json" with { type: "json" };

/** English for the sentences that only the user's own account shows; loaded with it. */
export const englishProfile: Readonly<Record<string, string>> = { ...profile };
