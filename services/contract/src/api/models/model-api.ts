/**
 * The shapes of the public model API, for its description. The relay reads what it needs and passes all other fields
 * through, so every object may have more fields than these.
 */
import { MODEL_NAME_LENGTH_MAX } from "../../limits.ts";
import { z } from "zod/mini";

const tokens = z.int().check(z.nonnegative());

/** Tokens as OpenAI counts them. */
export const OpenAiUsage = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
});

const message = z.looseObject({ role: z.string(), content: z.optional(z.unknown()) });
const stream = z.optional(z.boolean());
const model = z.string().check(z.minLength(1), z.maxLength(MODEL_NAME_LENGTH_MAX));

/** Body of `POST /v1/chat/completions`. */
export const ChatRequest = z.looseObject({
  model,
  messages: z.array(message).check(z.minLength(1)),
  /** True: the response is a stream of SSE events that ends with `data: [DONE]`. */
  stream,
  max_tokens: z.optional(z.int().check(z.positive())),
  temperature: z.optional(z.number()),
});

/** Response of `POST /v1/chat/completions`. */
export const ChatResponse = z.looseObject({
  id: z.string(),
  object: z.string(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), finish_reason: z.nullable(z.string()) })),
  usage: z.optional(OpenAiUsage),
});

/** Body of `POST /v1/messages`. */
export const MessagesRequest = z.looseObject({
  model,
  messages: z.array(message).check(z.minLength(1)),
  max_tokens: z.int().check(z.positive()),
  /** True: the response is a stream of SSE events that ends with `message_stop`. */
  stream,
});

/** Response of `POST /v1/messages`. */
export const MessagesResponse = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.string(),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  usage: z.looseObject({ input_tokens: tokens, output_tokens: tokens }),
});

/** Body of `POST /v1/messages/count_tokens`. */
export const CountMessagesRequest = z.looseObject({ model, messages: z.array(message) });
/** Response of `POST /v1/messages/count_tokens`. */
export const CountMessagesResponse = z.looseObject({ input_tokens: tokens });

/** Body of Google's `generateContent` and `streamGenerateContent`. */
export const GenerateRequest = z.looseObject({
  contents: z.array(z.looseObject({ role: z.optional(z.string()), parts: z.array(z.looseObject({})) })),
});
/** Response of Google's `generateContent`. */
export const GenerateResponse = z.looseObject({
  candidates: z.optional(z.array(z.looseObject({}))),
  usageMetadata: z.optional(z.looseObject({})),
});
/** Response of Google's `countTokens`. */
export const CountContentsResponse = z.looseObject({ totalTokens: tokens });

/** Body of `POST /v1/completions`. */
export const CompletionsRequest = z.looseObject({ model, prompt: z.unknown(), stream });

/** Body of `POST /v1/responses`. */
export const ResponsesRequest = z.looseObject({
  model,
  input: z.unknown(),
  /** True: the response is a stream of SSE events that ends with `response.completed`. */
  stream,
  previous_response_id: z.optional(z.string()),
  /** False: the response cannot be read or continued later. */
  store: z.optional(z.boolean()),
  /** True: the response is returned as `queued` and read later, until it ends. */
  background: z.optional(z.boolean()),
});
/** Response of `POST /v1/responses`. */
export const ResponsesResponse = z.looseObject({ id: z.string(), object: z.string(), output: z.array(z.unknown()) });

/** Body of `POST /v1/responses/input_tokens`. */
export const ResponsesInputTokensRequest = z.looseObject({
  model,
  input: z.optional(z.unknown()),
  previous_response_id: z.optional(z.string()),
});
/** Response of `POST /v1/responses/input_tokens`. */
export const ResponsesInputTokens = z.looseObject({ object: z.string(), input_tokens: tokens });

/** Body of `POST /v1/embeddings`. */
export const EmbeddingsRequest = z.looseObject({ model, input: z.unknown() });
/** Response of `POST /v1/embeddings`. */
export const EmbeddingsResponse = z.looseObject({ object: z.string(), data: z.array(z.unknown()) });

/** Body of Google's `embedContent` and `batchEmbedContents`. */
export const EmbedContentRequest = z.looseObject({});

/** Body of `POST /v1/moderations`. */
export const ModerationsRequest = z.looseObject({ input: z.unknown(), model: z.optional(model) });

/** Body of `POST /v1/images/generations`. */
export const ImagesRequest = z.looseObject({ prompt: z.string(), model: z.optional(model), n: z.optional(z.int()) });
/** Response of the image endpoints. */
export const ImagesResponse = z.looseObject({ data: z.array(z.unknown()) });

/** Form of `POST /v1/images/edits`. */
export const ImageEditsForm = z.looseObject({ image: z.string(), prompt: z.string(), model: z.optional(model) });
/** Form of `POST /v1/audio/transcriptions` and `/v1/audio/translations`. */
export const AudioForm = z.looseObject({ file: z.string(), model });

/** Body of `POST /v1/audio/speech`. */
export const SpeechRequest = z.looseObject({ model, input: z.string(), voice: z.optional(z.unknown()) });

/** Body of `POST /v1/rerank` and `/v2/rerank`. */
export const RerankRequest = z.looseObject({ model, query: z.string(), documents: z.array(z.unknown()) });

/** Response of `GET /v1/models`; callers of Anthropic or Google, whom a header names, get their provider's form. */
export const ModelList = z.looseObject({
  data: z.optional(z.array(z.unknown())),
  models: z.optional(z.array(z.unknown())),
});
/** Response of `GET /v1/models/{model}`. */
export const ModelFacts = z.looseObject({ id: z.optional(z.string()), name: z.optional(z.string()) });

/** Response of `GET /v1/key`, as OpenRouter has it; dollars. */
export const KeyFacts = z.looseObject({
  data: z.looseObject({
    label: z.string(),
    limit: z.nullable(z.number()),
    limit_remaining: z.nullable(z.number()),
    usage: z.number(),
    usage_daily: z.number(),
    usage_weekly: z.number(),
    usage_monthly: z.number(),
  }),
});
/** Response of `GET /v1/generation`, as OpenRouter has it; dollars and milliseconds. */
export const Generation = z.looseObject({
  data: z.looseObject({
    id: z.string(),
    request_id: z.string(),
    model: z.string(),
    total_cost: z.number(),
    streamed: z.boolean(),
  }),
});

/** Response of `GET /dashboard/billing/subscription`; dollars. */
export const BillingSubscription = z.looseObject({
  object: z.literal("billing_subscription"),
  hard_limit_usd: z.number(),
  access_until: z.int(),
});
/** Response of `GET /dashboard/billing/usage`; hundredths of a dollar. */
export const BillingUsage = z.looseObject({ object: z.literal("list"), total_usage: z.number() });

/** Any JSON object, in the provider's form. */
export const AnyObject = z.looseObject({});

/** A failure in OpenAI's form. The relay's own have the type `turnpike_error`. */
export const OpenAiError = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    type: z.string(),
    param: z.optional(z.nullable(z.string())),
    code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  }),
});

/** A failure in Anthropic's form. */
export const AnthropicError = z.looseObject({
  type: z.literal("error"),
  error: z.looseObject({ type: z.string(), message: z.string() }),
});

/** A failure in Google's form. */
export const GoogleError = z.looseObject({
  error: z.looseObject({ code: z.int(), message: z.string(), status: z.string() }),
});

/** A failure of image tasks; `code` is Midjourney's. */
export const MidjourneyError = z.looseObject({ description: z.string(), type: z.optional(z.string()), code: z.int() });

/** A failure of music tasks. */
export const SunoError = z.looseObject({ code: z.string(), message: z.string() });
