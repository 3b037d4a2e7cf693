import channels from "./en/channels.json" with { type: "json" };

/** English for the sentences that only the pages of channels show; loaded with them. */
export const englishChannels: Readonly<Record<string, string>> = { ...channels };
