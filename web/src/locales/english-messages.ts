import messages from "./en/messages.json" with { type: "json" };

/** English for the sentences that only the messages to users show; loaded with them. */
export const englishMessages: Readonly<Record<string, string>> = { ...messages };
