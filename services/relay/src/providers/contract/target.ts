/** The fields in which providers with OpenAI's format return reasoning. */
export type ReasoningField = "reasoning_content" | "reasoning";

/** The destination of a call: one key of one channel, and the upstream model name. */
export type Target = {
  readonly channelType: number;
  /** Without a trailing slash; empty for the provider's default URL. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  readonly organization: string;
  /** The channel's `other` field: an API version, for example. */
  readonly other: string;
  /** The result of the provider's token exchange for this key. */
  readonly accessToken?: string;
  /** The provider's names of the uploaded files, in the order of `uploads`. */
  readonly uploaded?: readonly string[];
  /** The proxy, if the connection is not direct. */
  readonly proxy?: string;
  /**
   * The caller's headers that matter upstream (anthropic-version, anthropic-beta; api-version from the query), in lower
   * case.
   */
  readonly clientHeaders: Readonly<Record<string, string>>;
  readonly settings: ProviderSettings;
  /** The field in which this channel returned the model's reasoning, or that it refuses reasoning; absent if unknown. */
  readonly reasoningField?: ReasoningField | "refused";
  /** The model's maximum output, for calls that leave the length of the response to the model. */
  readonly outputTokensMax?: number;
};

/** Site options that change the request. */
export type ProviderSettings = {
  readonly claudeDefaultMaxTokens: Readonly<Record<string, number>>;
  readonly claudeModelHeaders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Cache breakpoints are added for callers of other formats than Anthropic's. */
  readonly claudeCacheBreakpoints: boolean;
  readonly claudeThinkingAdapter: { readonly enabled: boolean; readonly budgetShare: number };
  readonly geminiSafetySettings: Readonly<Record<string, string>>;
  readonly geminiVersionSettings: Readonly<Record<string, string>>;
  /** Models that return images, in addition to those recognized by name. */
  readonly geminiImageModels: readonly string[];
  readonly geminiThinkingAdapter: {
    readonly enabled: boolean;
    readonly budgetShare: number;
    readonly models: readonly string[];
  };
  /** This site's own URL, empty if the administrator set none: some providers require the calling site. */
  readonly siteAddress: string;
};
