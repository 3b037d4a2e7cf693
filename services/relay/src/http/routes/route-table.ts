import {
  HUGGING_FACE_PREFIX,
  MODEL_API_PATHS as PATHS,
  MODEL_API_PATTERNS as PATTERNS,
  UNIMPLEMENTED_PATTERNS,
} from "@turnpike/contract/api/models/model-api-paths";
import type { Dialect, PathValues } from "../../core/call/dialect.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiCompact } from "../../dialects/openai-responses/compact.ts";
import { openAiEmbeddings } from "../../dialects/endpoints/embeddings.ts";
import { geminiBatchEmbed, geminiEmbed } from "../../dialects/endpoints/gemini-embed.ts";
import { openAiImageEdits } from "../../dialects/endpoints/image-edits.ts";
import { openAiImages } from "../../dialects/endpoints/images.ts";
import { openAiModerations } from "../../dialects/endpoints/moderations.ts";
import { rerank } from "../../dialects/endpoints/rerank.ts";
import { openAiSpeech } from "../../dialects/endpoints/speech.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiTranscriptions, openAiTranslations } from "../../dialects/endpoints/transcriptions.ts";
import { openAiCompletions } from "../../dialects/openai-completions/openai-completions.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** The format of a token count's request and response. */
export type CountForm = "anthropic" | "google";
export type BillingReport = "subscription" | "usage";

/** A model call: its dialect, and the values in its URL that the body does not contain. */
export type CallRoute = { readonly kind: "call"; readonly dialect: Dialect; readonly path?: PathValues };
/** A token count; `model` is set if the URL names it. */
export type CountRoute = { readonly kind: "count"; readonly form: CountForm; readonly model: string | undefined };
/** A count of the input tokens of a response, which an account may make. */
export type InputTokensRoute = { readonly kind: "count"; readonly form: "openai" };
/** The model list, or one model of it. */
export type ModelsRoute = { readonly kind: "models"; readonly version: string; readonly model: string | undefined };

/** A response that a provider stores; the id is as the caller received it. */
export type StoredResponseRoute = {
  readonly kind: "stored-response";
  readonly method: "GET" | "DELETE" | "POST";
  readonly id: string;
  readonly action: string | undefined;
};

/** A conversation that a provider keeps, its items or one of them; without an id a new one. Ids are as the caller received them. */
export type ConversationRoute = {
  readonly kind: "conversation";
  readonly method: "GET" | "DELETE" | "POST";
  readonly id: string | undefined;
  readonly action: string | undefined;
  readonly itemId: string | undefined;
};

/** What a request is for. */
export type Route =
  | CallRoute
  | CountRoute
  | InputTokensRoute
  | ModelsRoute
  | StoredResponseRoute
  | ConversationRoute
  | { readonly kind: "description" }
  | { readonly kind: "playground" }
  | { readonly kind: "realtime" }
  | { readonly kind: "key" }
  | { readonly kind: "generation" }
  | { readonly kind: "billing"; readonly report: BillingReport }
  | { readonly kind: "midjourney"; readonly mode: string | undefined; readonly action: string }
  | { readonly kind: "suno"; readonly action: string }
  | { readonly kind: "unimplemented" }
  /** A served path with a method that neither the gateway nor the provider has there. */
  | { readonly kind: "wrong-method"; readonly allow: string };

const toCallRoute = (dialect: Dialect): CallRoute => ({ kind: "call", dialect });

/** Routes with a fixed path, for any method: the handlers refuse the methods that they do not have. */
const FIXED: Readonly<Record<string, Route>> = {
  [PATHS.chatCompletions]: toCallRoute(openAiChat),
  [PATHS.messages]: toCallRoute(anthropicMessages),
  [PATHS.completions]: toCallRoute(openAiCompletions),
  [PATHS.embeddings]: toCallRoute(openAiEmbeddings),
  [PATHS.responses]: toCallRoute(openAiResponses),
  [PATHS.responsesCompact]: toCallRoute(openAiCompact),
  [PATHS.responsesInputTokens]: { kind: "count", form: "openai" },
  [PATHS.moderations]: toCallRoute(openAiModerations),
  [PATHS.imageGenerations]: toCallRoute(openAiImages),
  [PATHS.imageEdits]: toCallRoute(openAiImageEdits),
  [PATHS.transcriptions]: toCallRoute(openAiTranscriptions),
  [PATHS.translations]: toCallRoute(openAiTranslations),
  [PATHS.speech]: toCallRoute(openAiSpeech),
  [PATHS.rerank]: toCallRoute(rerank),
  [PATHS.rerankV2]: toCallRoute(rerank),
  [PATHS.description]: { kind: "description" },
  [PATHS.playground]: { kind: "playground" },
  [PATHS.realtime]: { kind: "realtime" },
  [PATHS.key]: { kind: "key" },
  [PATHS.authKey]: { kind: "key" },
  [PATHS.generation]: { kind: "generation" },
};

const COUNT_MESSAGES: Route = { kind: "count", form: "anthropic", model: undefined };
const UNIMPLEMENTED: Route = { kind: "unimplemented" };

/** Google's methods of a model. */
const GEMINI_METHODS: ReadonlyMap<string, (model: string) => Route> = new Map<string, (model: string) => Route>([
  ["generateContent", (model) => ({ kind: "call", dialect: geminiGenerate, path: { model, stream: false } })],
  ["streamGenerateContent", (model) => ({ kind: "call", dialect: geminiGenerate, path: { model, stream: true } })],
  ["embedContent", (model) => ({ kind: "call", dialect: geminiEmbed, path: { model, stream: false } })],
  ["batchEmbedContents", (model) => ({ kind: "call", dialect: geminiBatchEmbed, path: { model, stream: false } })],
  ["countTokens", (model) => ({ kind: "count", form: "google", model })],
]);

/** Decodes a model name from a URL; throws invalid_request if it is invalid. */
function decodeModel(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch (cause) {
    throw new RelayError("invalid_request", "the model's name in the URL cannot be decoded", { cause });
  }
}

function findPostRoute(path: string): Route | undefined {
  const gemini = PATTERNS.geminiMethod.pattern.exec(path);
  if (gemini) return GEMINI_METHODS.get(gemini[2] ?? "")?.(decodeModel(gemini[1] ?? ""));
  const engine = PATTERNS.engineEmbeddings.pattern.exec(path);
  if (engine) {
    const model = decodeModel(engine[1] ?? "");
    return { kind: "call", dialect: openAiEmbeddings, path: { model, stream: false } };
  }
  return path === PATHS.messagesCountTokens ? COUNT_MESSAGES : undefined;
}

function findModelsRoute(path: string): Route | undefined {
  const models = PATTERNS.models.pattern.exec(path);
  if (!models) return undefined;
  const [, version = "", model] = models;
  return { kind: "models", version, model: model === undefined ? undefined : decodeModel(model) };
}

/** The action that each method has; the response itself has none. */
const STORED_ACTIONS = {
  GET: [undefined, "input_items"],
  DELETE: [undefined],
  POST: ["cancel"],
} as const satisfies Record<StoredResponseRoute["method"], readonly (string | undefined)[]>;

function findStoredResponseRoute(method: string, path: string): Route | undefined {
  const [, id, action] = PATTERNS.storedResponse.pattern.exec(path) ?? [];
  if (id === undefined || (method !== "GET" && method !== "DELETE" && method !== "POST")) return undefined;
  const actions: readonly (string | undefined)[] = STORED_ACTIONS[method];
  return actions.includes(action) ? { kind: "stored-response", method, id, action } : undefined;
}

/** The methods of a conversation, of its items, and of one of them. */
const CONVERSATION_METHODS = {
  itself: ["GET", "POST", "DELETE"],
  items: ["GET", "POST"],
  item: ["GET", "DELETE"],
} as const;
const CREATE_METHODS = ["POST"] as const;

function findConversationRoute(method: string, path: string): Route | undefined {
  const [, id, action, itemId] = PATTERNS.conversation.pattern.exec(path) ?? [];
  if (id === undefined && path !== PATHS.conversations) return undefined;
  const kept = itemId !== undefined ? "item" : action === undefined ? "itself" : "items";
  const methods: readonly ConversationRoute["method"][] =
    id === undefined ? CREATE_METHODS : CONVERSATION_METHODS[kept];
  const served = methods.find((one) => one === method);
  if (served === undefined) return { kind: "wrong-method", allow: methods.join(", ") };
  return { kind: "conversation", method: served, id, action, itemId };
}

const MODEL_METHODS: Route = { kind: "wrong-method", allow: "GET, HEAD" };

/** The refusal of a method on a path that is served with others. */
function findWrongMethod(method: string, path: string): Route | undefined {
  const [, id, action] = PATTERNS.storedResponse.pattern.exec(path) ?? [];
  if (id !== undefined) {
    const served = Object.entries<readonly (string | undefined)[]>(STORED_ACTIONS);
    const allow = served.filter(([, actions]) => actions.includes(action)).map(([method]) => method);
    if (allow.length > 0) return { kind: "wrong-method", allow: allow.join(", ") };
  }
  // A POST may be meant for a method of Google that does not exist.
  return method === "POST" ? undefined : findModelsRoute(path) && MODEL_METHODS;
}

function findBillingRoute(path: string): Route | undefined {
  const billing = PATTERNS.billing.pattern.exec(path);
  return billing ? { kind: "billing", report: billing[1] as BillingReport } : undefined;
}

function findTaskRoute(path: string): Route | undefined {
  const midjourney = PATTERNS.midjourney.pattern.exec(path);
  if (midjourney) return { kind: "midjourney", mode: midjourney[1], action: midjourney[2] ?? "" };
  const suno = PATTERNS.suno.pattern.exec(path);
  return suno ? { kind: "suno", action: suno[1] ?? "" } : undefined;
}

const isUnimplemented = (path: string): boolean => UNIMPLEMENTED_PATTERNS.some(({ pattern }) => pattern.test(path));

/** Whether a model call has this fixed path. */
export const isFixedCallPath = (path: string): boolean => FIXED[path]?.kind === "call";

/** Google's prefix for OpenAI's format (https://ai.google.dev/gemini-api/docs/openai). */
const GOOGLE_OPENAI = "/v1beta/openai/";

/** The path under which a request is served that has another prefix than `/v1`, or none; undefined if there is none. */
export function findOtherPath(method: string, path: string): string | undefined {
  if (path.startsWith(`${HUGGING_FACE_PREFIX}/v1/`)) return path.slice(HUGGING_FACE_PREFIX.length);
  const own = path.startsWith(GOOGLE_OPENAI) ? `/v1/${path.slice(GOOGLE_OPENAI.length)}` : `/v1${path}`;
  return findRoute(method, own) ? own : undefined;
}

/** The route of a request, undefined if there is none. Fixed paths take one lookup, because every call passes here. */
export function findRoute(method: string, path: string): Route | undefined {
  return (
    FIXED[path] ??
    (method === "POST" ? findPostRoute(path) : undefined) ??
    (method === "GET" || method === "HEAD" ? findModelsRoute(path) : undefined) ??
    (method === "GET" ? findBillingRoute(path) : undefined) ??
    findStoredResponseRoute(method, path) ??
    findConversationRoute(method, path) ??
    findTaskRoute(path) ??
    findWrongMethod(method, path) ??
    (isUnimplemented(path) ? UNIMPLEMENTED : undefined)
  );
}
