import type { Json } from "../../core/chat/chat.ts";
import type { Dialect, ResponseContext } from "../../core/call/dialect.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { hoistInstructions } from "../../core/chat/instructions.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { checkFinish } from "../../pipeline/attempt/finish-failures.ts";
import { streamed } from "../../pipeline/attempt/stream/stream-attempt-fixtures.ts";
import { toStreamError } from "../../upstream/upstream-errors.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import { anthropicMessages } from "../anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "../gemini-generate/gemini-generate.ts";
import { openAiChat } from "../openai-chat/openai-chat.ts";
import { openAiResponses } from "../openai-responses/openai-responses.ts";
import type { ChatDialect } from "./coverage-table.ts";

const CALLERS: Readonly<Record<ChatDialect, Dialect>> = {
  "openai-chat": openAiChat,
  "openai-responses": openAiResponses,
  "anthropic-messages": anthropicMessages,
  gemini: geminiGenerate,
};

/** The channel types and models of providers, each with the format of one dialect. */
const UPSTREAMS: Readonly<Record<ChatDialect, { readonly type: number; readonly model: string }>> = {
  "openai-chat": { type: 1, model: "gpt-4.1" },
  "openai-responses": { type: 1, model: "gpt-5-codex" },
  "anthropic-messages": { type: 14, model: "claude-sonnet-4-5-20250929" },
  gemini: { type: 24, model: "gemini-2.5-flash" },
};

function getProvider(format: ChatDialect, model: string = UPSTREAMS[format].model): Provider {
  const { type } = UPSTREAMS[format];
  const provider = findProvider(type);
  const found = provider?.forModel?.(model) ?? provider;
  // Chat over the Responses API has no name of its own.
  const wireFormat = format === "openai-responses" ? "own" : format;
  if (found?.wireFormat !== wireFormat) throw new Error(`${model} is not served in the format ${format}`);
  return found;
}

const CONTEXT: ResponseContext = { requestId: "req1", model: "m", includeUsage: true, createdAtSeconds: 1 };

/**
 * A conversion either writes something, or fails with an error that its caller sees: the relay's own, or the response's
 * failure as the caller's dialect writes it. `charged` is the provider's usage as the call is charged for it: some of it
 * has no place in the usage of the caller's dialect.
 */
export type Outcome =
  | { readonly written: unknown; readonly charged?: unknown; readonly error?: undefined }
  | {
      readonly error:
        | { readonly code: string; readonly message: string; readonly param?: string }
        | { readonly status: number; readonly body: unknown; readonly charged?: unknown };
    };

type Converted = { readonly written: unknown; readonly charged?: unknown };

/** Ids that are generated anew for each call. */
const GENERATED_ID = /\b(msg|resp|call|fc|rs|toolu|chatcmpl|ctc|item|ig|ws|cmp|srvtoolu)([_-])[A-Za-z0-9_-]{8,}/g;
const TIME_FIELDS = /"(completed_at|created_at|created)":\d+/g;

const settle = (value: unknown): unknown =>
  parseExactJson(
    JSON.stringify(value ?? null)
      .replace(GENERATED_ID, "$1$2GENERATED")
      .replace(TIME_FIELDS, '"$1":1'),
  );

function writeFailure(error: RelayError, to: ChatDialect): Outcome {
  const { code, message, param, upstream, status, usage } = error;
  if (!upstream) return { error: { code, message, ...(param === undefined ? {} : { param }) } };
  const body = settle(CALLERS[to].writeError(error, "req1"));
  return { error: { status, body, ...(usage === undefined ? {} : { charged: usage }) } };
}

function attempt(to: ChatDialect, convert: () => Converted): Outcome {
  try {
    return settle(convert()) as Converted;
  } catch (error) {
    if (error instanceof RelayError) return writeFailure(error, to);
    if (error instanceof StreamFailure) return writeFailure(toStreamError(error), to);
    throw error;
  }
}

/** A caller's body as it goes to a provider of another format; `models` replaces the default upstream models. */
export const convertRequest = (
  body: Json,
  from: ChatDialect,
  to: ChatDialect,
  models: { readonly [Key in ChatDialect]?: string } = {},
): Outcome =>
  attempt(to, () => {
    const { type } = UPSTREAMS[to];
    const model = models[to] ?? UPSTREAMS[to].model;
    const provider = getProvider(to, model);
    const request = CALLERS[from].parseRequest(body, { model: "m", stream: false });
    const hoisted = provider.requests?.keepsInstructions ? request : hoistInstructions(request);
    return { written: provider.buildRequest(hoisted, targetFor({ channelType: type, model })).json };
  });

/** A provider's response as it reaches a caller of another format. */
export const convertResponse = (body: Json, from: ChatDialect, to: ChatDialect): Outcome =>
  attempt(to, () => {
    const response = getProvider(from).parseResponse(body);
    checkFinish(response);
    return { written: CALLERS[to].writeResponse(response, CONTEXT), charged: response.usage };
  });

/** The events of a text of server-sent events; text that is no JSON stays text. */
function parseEvents(text: string): unknown[] {
  const data = text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : []));
  return data.map((line) => (line.startsWith("{") ? parseExactJson(line) : line));
}

/** A provider's stream as it reaches a caller of another format. */
export async function convertStream(events: readonly Json[], from: ChatDialect, to: ChatDialect): Promise<Outcome> {
  const upstream = getProvider(from);
  try {
    const { text, result } = await streamed(
      to,
      UPSTREAMS[from].type,
      (sink) => {
        for (const event of events) sink.data(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
        if (from === "openai-chat") sink.data(Buffer.from("data: [DONE]\n\n"));
        sink.end();
      },
      { upstream, includeUsage: true },
    );
    return attempt(to, () => ({ written: parseEvents(text), charged: result?.usage }));
  } catch (error) {
    return attempt(to, () => {
      throw error;
    });
  }
}

/** A provider's refusal as it reaches a caller of another format. */
export const convertError = (refusal: { status: number; body: Json }, from: ChatDialect, to: ChatDialect): Outcome =>
  attempt(to, () => {
    const upstream = getProvider(from).parseError(refusal.status, refusal.body);
    const error = new RelayError("upstream_error", upstream.message, { status: refusal.status, upstream });
    return { written: CALLERS[to].writeError(error, "req1") };
  });
