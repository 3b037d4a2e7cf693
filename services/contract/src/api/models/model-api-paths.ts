/**
 * Paths of the public model API, declared once. The relay's route table, the gateway's pass-through and the chart's
 * ingress follow from this file: the relay serves the paths and patterns, the gateway passes everything below the
 * prefixes to the relay, and the ingress sends the prefixes marked `ingress: "relay"` there directly.
 */

/** Paths without a variable part. */
export const MODEL_API_PATHS = {
  chatCompletions: "/v1/chat/completions",
  completions: "/v1/completions",
  embeddings: "/v1/embeddings",
  responses: "/v1/responses",
  responsesCompact: "/v1/responses/compact",
  responsesInputTokens: "/v1/responses/input_tokens",
  conversations: "/v1/conversations",
  moderations: "/v1/moderations",
  imageGenerations: "/v1/images/generations",
  imageEdits: "/v1/images/edits",
  transcriptions: "/v1/audio/transcriptions",
  translations: "/v1/audio/translations",
  speech: "/v1/audio/speech",
  rerank: "/v1/rerank",
  rerankV2: "/v2/rerank",
  messages: "/v1/messages",
  messagesCountTokens: "/v1/messages/count_tokens",
  realtime: "/v1/realtime",
  key: "/v1/key",
  authKey: "/v1/auth/key",
  generation: "/v1/generation",
  playground: "/pg/chat/completions",
  description: "/v1/openapi.json",
} as const;

/** A path with variable parts, and examples of it for tests. */
type PathPattern = { readonly pattern: RegExp; readonly examples: readonly string[] };

/** Paths with a variable part; the capture groups are documented with each. */
export const MODEL_API_PATTERNS = {
  /** Model, method. The method follows the last colon: names may contain colons (llama3:8b). */
  geminiMethod: {
    pattern: /^\/v1(?:beta)?\/models\/(.+):(\w+)$/,
    examples: ["/v1beta/models/gemini-2.5-flash:generateContent", "/v1/models/gemini-2.5-flash:countTokens"],
  },
  /** Id, action. */
  storedResponse: {
    pattern: /^\/v1\/responses\/([^/]+)(?:\/(cancel|input_items))?$/,
    examples: ["/v1/responses/resp_1", "/v1/responses/resp_1/input_items"],
  },
  /** Id, the list of its items, id of an item. */
  conversation: {
    pattern: /^\/v1\/conversations\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?$/,
    examples: ["/v1/conversations/conv_1", "/v1/conversations/conv_1/items", "/v1/conversations/conv_1/items/msg_1"],
  },
  /** Model. */
  engineEmbeddings: { pattern: /^\/v1\/engines\/(.+)\/embeddings$/, examples: ["/v1/engines/ada/embeddings"] },
  /** Version, model. */
  models: {
    pattern: /^\/(v1|v1beta)\/models(?:\/(.+))?$/,
    examples: ["/v1/models", "/v1/models/gpt-4o", "/v1beta/models"],
  },
  /** Report. */
  billing: {
    pattern: /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/,
    examples: ["/dashboard/billing/usage", "/v1/dashboard/billing/subscription"],
  },
  /** Mode, action. */
  midjourney: {
    pattern: /^(?:\/((?:mj-)?(?:fast|relax|turbo)))?\/mj\/(.+?)\/?$/,
    examples: ["/mj/submit/imagine", "/mj-fast/mj/submit/imagine", "/turbo/mj/task/1/fetch"],
  },
  /** Action. */
  suno: { pattern: /^\/suno\/(.+?)\/?$/, examples: ["/suno/submit/music"] },
} as const satisfies Record<string, PathPattern>;

/** Clients of Hugging Face put this prefix before any `/v1` path. */
export const HUGGING_FACE_PREFIX = "/hf";

/** Provider APIs that the relay does not implement: they get 501 in the caller's format. */
export const UNIMPLEMENTED_PATTERNS: readonly PathPattern[] = [
  {
    pattern: /^\/v1\/(files|uploads|batches|fine-tunes|fine_tuning|assistants|threads|vector_stores)(\/.*)?$/,
    examples: ["/v1/files", "/v1/batches/1"],
  },
  { pattern: /^\/v1\/(containers|evals|videos|video)(\/.*)?$/, examples: ["/v1/videos"] },
  { pattern: /^\/v1\/(chat\/completions|realtime)\/.+$/, examples: ["/v1/realtime/client_secrets"] },
  { pattern: /^\/v1\/(responses|conversations)\/.+$/, examples: ["/v1/responses/resp_1/steps"] },
  { pattern: /^\/v1\/messages\/batches(\/.*)?$/, examples: ["/v1/messages/batches"] },
  {
    pattern:
      /^(\/upload)?\/v1(beta)?\/(files|cachedContents|batches|tunedModels|fileSearchStores|interactions)([/:].*)?$/,
    examples: ["/v1beta/cachedContents/1", "/upload/v1beta/files", "/upload/v1/files"],
  },
  { pattern: /^\/v1\/images\/variations$/, examples: ["/v1/images/variations"] },
  { pattern: /^\/v1\/edits$/, examples: ["/v1/edits"] },
];

/** Part of the URL space that belongs to the relay. */
type PathPrefix = {
  readonly prefix: string;
  /** The ingress's target: the relay, or the gateway, which passes it on. */
  readonly ingress: "relay" | "gateway";
};

/** Prefixes of the model API. The playground authenticates by console session, so it must pass through the gateway. */
export const MODEL_API_PREFIXES: readonly PathPrefix[] = [
  { prefix: "/v1", ingress: "relay" },
  { prefix: "/v1beta", ingress: "relay" },
  { prefix: "/v2/rerank", ingress: "gateway" },
  { prefix: "/upload/v1", ingress: "gateway" },
  { prefix: "/upload/v1beta", ingress: "gateway" },
  { prefix: "/pg", ingress: "gateway" },
  { prefix: HUGGING_FACE_PREFIX, ingress: "gateway" },
  { prefix: "/mj", ingress: "gateway" },
  ...["fast", "relax", "turbo"].flatMap((mode): PathPrefix[] => [
    { prefix: `/${mode}/mj`, ingress: "gateway" },
    { prefix: `/mj-${mode}/mj`, ingress: "gateway" },
  ]),
  { prefix: "/suno", ingress: "gateway" },
  { prefix: "/dashboard/billing", ingress: "gateway" },
];

/**
 * Paths of model calls without `/v1`, which clients send whose base URL lacks it. The gateway passes only their POSTs to the relay:
 * everything else outside the prefixes is the console's.
 */
export const UNPREFIXED_PATHS: ReadonlySet<string> = new Set(
  Object.values(MODEL_API_PATHS).flatMap((path) => (path.startsWith("/v1/") ? [path.slice("/v1".length)] : [])),
);

/** Prefix of the playground, the only part of the model API that is authenticated by a console session. */
export const PLAYGROUND_PREFIX = "/pg";

/** One example of every path that the relay serves or refuses with 501. */
export const listModelApiExamples = (): string[] => [
  ...Object.values(MODEL_API_PATHS),
  ...Object.values(MODEL_API_PATTERNS).flatMap(({ examples }) => [...examples]),
  ...UNIMPLEMENTED_PATTERNS.flatMap(({ examples }) => examples),
  ...Object.values(MODEL_API_PATHS)
    .filter((path) => path.startsWith("/v1/"))
    .map((path) => HUGGING_FACE_PREFIX + path),
];

/** A pattern for URLs (with or without a query) below any of the prefixes. */
export function toPrefixPattern(prefixes: readonly string[]): RegExp {
  return new RegExp(`^(?:${prefixes.join("|")})(?:[/?]|$)`);
}
