/** A provider that a channel can be of. */
export type ChannelType = {
  readonly id: number;
  /** The provider's own name; "自定义" is a source sentence, the others are names. */
  readonly name: string;
  /** Where calls go when the channel names no address; "" where it must name one. */
  readonly baseUrl: string;
};

/** The channel types that can be created, by their numbers on the wire. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  { id: 1, name: "OpenAI", baseUrl: "https://api.openai.com" },
  { id: 14, name: "Anthropic Claude", baseUrl: "https://api.anthropic.com" },
  { id: 24, name: "Google Gemini", baseUrl: "https://generativelanguage.googleapis.com" },
  { id: 8, name: "自定义", baseUrl: "" },
];

/** The type of a number, undefined for numbers this version does not know. */
export const channelTypeOf = (id: number): ChannelType | undefined => CHANNEL_TYPES.find((type) => type.id === id);
