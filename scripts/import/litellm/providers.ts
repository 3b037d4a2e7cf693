/** What a provider of LiteLLM is here: a channel type, LiteLLM's default address where the type has another one, the variable of its key. */
export type ProviderTarget = { readonly type: number; readonly baseUrl?: string; readonly keyVariable?: string };

const OPENAI_TYPE = 1;
/** Channels whose address is complete. */
export const CUSTOM_TYPE = 8;
export const AZURE_TYPE = 3;
export const BEDROCK_TYPE = 33;
export const VERTEX_TYPE = 41;

const compatible = (keyVariable: string, baseUrl?: string): ProviderTarget => ({
  type: OPENAI_TYPE,
  keyVariable,
  ...(baseUrl === undefined ? {} : { baseUrl }),
});

/** By the prefix of `litellm_params.model` or `custom_llm_provider`. */
const PROVIDERS: Readonly<Record<string, ProviderTarget>> = {
  openai: compatible("OPENAI_API_KEY"),
  "text-completion-openai": compatible("OPENAI_API_KEY"),
  azure: { type: AZURE_TYPE, keyVariable: "AZURE_API_KEY" },
  azure_text: { type: AZURE_TYPE, keyVariable: "AZURE_API_KEY" },
  azure_ai: compatible("AZURE_AI_API_KEY"),
  anthropic: { type: 14, keyVariable: "ANTHROPIC_API_KEY" },
  gemini: { type: 24, keyVariable: "GEMINI_API_KEY" },
  vertex_ai: { type: VERTEX_TYPE },
  bedrock: { type: BEDROCK_TYPE },
  deepseek: { type: 43, keyVariable: "DEEPSEEK_API_KEY" },
  openrouter: { type: 20, keyVariable: "OPENROUTER_API_KEY" },
  dashscope: { type: 17, baseUrl: "https://dashscope-intl.aliyuncs.com", keyVariable: "DASHSCOPE_API_KEY" },
  volcengine: { type: 45, keyVariable: "VOLCENGINE_API_KEY" },
  moonshot: { type: 25, baseUrl: "https://api.moonshot.ai", keyVariable: "MOONSHOT_API_KEY" },
  mistral: { type: 42, keyVariable: "MISTRAL_API_KEY" },
  xai: { type: 48, keyVariable: "XAI_API_KEY" },
  cohere: { type: 34, keyVariable: "COHERE_API_KEY" },
  cohere_chat: { type: 34, keyVariable: "COHERE_API_KEY" },
  perplexity: { type: 27, keyVariable: "PERPLEXITYAI_API_KEY" },
  jina_ai: { type: 38, keyVariable: "JINA_AI_API_KEY" },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  xinference: { type: 47 },
  groq: compatible("GROQ_API_KEY", "https://api.groq.com/openai/v1"),
  together_ai: compatible("TOGETHERAI_API_KEY", "https://api.together.ai/v1"),
  fireworks_ai: compatible("FIREWORKS_AI_API_KEY", "https://api.fireworks.ai/inference/v1"),
  deepinfra: compatible("DEEPINFRA_API_KEY", "https://api.deepinfra.com/v1/openai"),
  nvidia_nim: compatible("NVIDIA_NIM_API_KEY", "https://integrate.api.nvidia.com/v1"),
  cerebras: compatible("CEREBRAS_API_KEY", "https://api.cerebras.ai/v1"),
  sambanova: compatible("SAMBANOVA_API_KEY", "https://api.sambanova.ai/v1"),
  novita: compatible("NOVITA_API_KEY", "https://api.novita.ai/v3/openai"),
  nebius: compatible("NEBIUS_API_KEY", "https://api.studio.nebius.ai/v1"),
  hosted_vllm: compatible("HOSTED_VLLM_API_KEY"),
  lm_studio: compatible("LM_STUDIO_API_KEY"),
  llamafile: compatible("LLAMAFILE_API_KEY"),
  openai_like: compatible("OPENAI_LIKE_API_KEY"),
  custom_openai: compatible("OPENAI_API_KEY"),
  litellm_proxy: compatible("LITELLM_PROXY_API_KEY"),
};

/** Names of models that LiteLLM knows without a prefix. */
const BARE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|o\d|chatgpt|text-embedding-|dall-e|whisper|tts-|omni-moderation|davinci|babbage|ft:)/, "openai"],
  [/^claude/, "anthropic"],
  [/^gemini/, "vertex_ai"],
  [/^(?:command|embed-|rerank-)/, "cohere"],
];

/** The provider of a deployment, and the model's name there; `target` is undefined for a provider that is not known here. */
export type FoundProvider = {
  readonly provider: string;
  readonly model: string;
  readonly target: ProviderTarget | undefined;
};

/** Finds the provider as LiteLLM does: `custom_llm_provider`, the model's prefix, an address of its own, the model's name. */
export function findProvider(model: string, customProvider: string, apiBase: string): FoundProvider {
  const slash = model.indexOf("/");
  const prefix = slash > 0 ? model.slice(0, slash) : "";
  const rest = model.slice(slash + 1);
  const found = (provider: string, name: string): FoundProvider => ({
    provider,
    model: name,
    target: Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined,
  });
  if (customProvider !== "") return found(customProvider, prefix === customProvider ? rest : model);
  if (Object.hasOwn(PROVIDERS, prefix)) return found(prefix, rest);
  if (apiBase !== "") return found("openai", model);
  const bare = BARE_NAMES.find(([pattern]) => pattern.test(model));
  return bare ? found(bare[1], model) : found(prefix, model);
}

/** The address of a server with OpenAI's API, as a channel has it: LiteLLM adds `/chat/completions` to it, this gateway `/v1/chat/completions`. */
export function toOpenAiAddress(apiBase: string): { readonly type: number; readonly baseUrl: string } {
  const base = apiBase.replace(/\/+$/, "");
  const isVersioned = base === "" || base.endsWith("/v1");
  return isVersioned
    ? { type: OPENAI_TYPE, baseUrl: base }
    : { type: CUSTOM_TYPE, baseUrl: `${base}/chat/completions` };
}

export const isOpenAiLike = ({ type }: ProviderTarget): boolean => type === OPENAI_TYPE;
