import editor from "./en/channel-editor.json" with { type: "json" };

/** English for the sentences that only the editors of channels and tags show; loaded with them. */
export const englishChannelEditor: Readonly<Record<string, string>> = { ...editor };
