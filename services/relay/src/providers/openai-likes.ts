import { OPENAI_MODELS } from "./openai/openai-models.ts";

/** How one provider that speaks OpenAI's format differs from OpenAI. */
export type OpenAiLike = {
  /** The channel type's number. */
  readonly type: number;
  readonly name: string;
  /** Scheme and host (and what stands before the version) when the channel names no address. */
  readonly baseUrl: string;
  /** Behind the base URL; a base URL that ends in the version already is not given it twice. */
  readonly chatPath: string;
  readonly modelsPath: string;
  /** The channel's address is the whole URL of the chat call, with `{model}` standing for the model. */
  readonly isWholeUrl: boolean;
  /** Takes `stream_options.include_usage`. */
  readonly asksUsage: boolean;
  readonly defaultModels: readonly string[];
};

const OPENAI: Omit<OpenAiLike, "type" | "name"> = {
  baseUrl: "https://api.openai.com",
  chatPath: "/v1/chat/completions",
  modelsPath: "/v1/models",
  isWholeUrl: false,
  asksUsage: true,
  defaultModels: OPENAI_MODELS,
};

/** Providers of OpenAI's format, one row each. */
export const OPENAI_LIKES: readonly OpenAiLike[] = [
  { ...OPENAI, type: 1, name: "openai" },
  { ...OPENAI, type: 8, name: "custom", baseUrl: "", isWholeUrl: true },
];
