import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { asNumber, compact } from "../../core/chat/json.ts";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { findCatalogueEntry } from "../../core/chat/catalogue-entry.ts";
import { hoistInstructions } from "../../core/chat/instructions.ts";
import { refuseManyCandidates } from "../../core/chat/messages.ts";
import { withoutOwnImages } from "../../core/chat/own-images.ts";
import type {
  ProcessedResponse,
  PostProcessing,
  Provider,
  ProviderResponse,
  Target,
} from "../../providers/contract/provider.ts";
import type { WrittenStream } from "../../core/wire/stream.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { OutgoingRequest } from "../../upstream/upstream-client.ts";
import { applySetting } from "./channel-settings.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { contentSettings } from "../../content-policy/content-settings.ts";
import { type Form, writeForm } from "../../core/call/multipart.ts";
import type { ReasoningFields } from "./reasoning-fields.ts";
import { patchTopLevel } from "./body-patch.ts";
import { providerSettings, toTarget } from "./provider-target.ts";
import { endpointProvider, providerFor } from "./serving-provider.ts";

export type Prepared = {
  readonly provider: Provider;
  /** Caller and upstream use the same format: responses are passed through byte by byte. */
  readonly passThrough: boolean;
  readonly request: OutgoingRequest;
  /** The provider's post-processing; only a few providers have one. */
  readonly finish?: (
    response: ProviderResponse,
    postProcessing: PostProcessing,
  ) => ProcessedResponse | Promise<ProcessedResponse>;
  /** The stream encoder for the format the caller requested, if upstream's format differs. */
  readonly written?: WrittenStream;
  /** A stream generated here from upstream's non-streaming response. */
  readonly isSynthesizedStream?: boolean;
};

export type PhaseTimeouts = { readonly firstByteMs: number; readonly idleMs: number; readonly nonStreamingMs: number };

/** Changes to a pass-through body: the model's name, a request for usage in streams, and the operator's overrides. */
function getBodyPatches(
  call: RelayCall,
  provider: Provider,
  target: Target,
  override: Json | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...override };
  const { endpoint, namesModelInPath, usageOnRequest } = call.dialect;
  // Other endpoints may omit the model (default) or name it in the URL.
  const written = endpoint ? call.body["model"] : call.model;
  if (target.model !== written && !namesModelInPath) values["model"] ??= target.model;
  const supportsStreamUsage = usageOnRequest && provider.streaming?.supportsStreamUsage !== false;
  if (call.stream && supportsStreamUsage && !call.includeUsage) {
    const sent = call.body["stream_options"];
    values["stream_options"] ??= { ...(typeof sent === "object" ? sent : {}), include_usage: true };
  }
  return values;
}

/** A multipart body with the changes applied, written anew; its files are not copied. */
function patchFormBody(form: Form, values: Record<string, unknown>, headers: Readonly<Record<string, string>>) {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const { body, contentType } = writeForm(form, Object.fromEntries(texts) as Record<string, string>);
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  return { body, headers: { ...headers, "content-type": contentType, "content-length": String(length) } };
}

/** The body if the caller sent a form, or if the provider writes its own; undefined for JSON that is passed through. */
function otherBody(
  call: RelayCall,
  { provider, target, headers }: { provider: Provider; target: Target; headers: Readonly<Record<string, string>> },
  override: Json | undefined,
) {
  const written = provider.requests?.writeBody?.({ ...call.body, ...override }, target);
  if (written) return { body: written.body, headers: { ...headers, ...written.headers } };
  return call.form && patchFormBody(call.form, getBodyPatches(call, provider, target, override), headers);
}

/** The provider's post-processing of the first response, if it has one. */
export function getPostProcessing({ finish }: Provider, body: Json, target: Target): Pick<Prepared, "finish"> {
  return finish ? { finish: (response, postProcessing) => finish(response, { body, target }, postProcessing) } : {};
}

/** The stream encoder for such a body, if the provider has one. */
const writtenStream = ({ streaming }: Provider, body: Json): Pick<Prepared, "written"> =>
  streaming?.convertsStream ? { written: streaming.convertsStream(body) } : {};

/** The caller's bytes with only the necessary changes; re-encoded only if the model's rules change the body. */
function passThroughBody(call: RelayCall, provider: Provider, target: Target, override: Json | undefined): string {
  const values = getBodyPatches(call, provider, target, override);
  const adapted = provider.adaptBody?.(call.body, target) ?? call.body;
  if (adapted !== call.body) {
    // A suffix that the rules removed from the model's name is not restored.
    const { model: _model, ...others } = values;
    const keepsModel = adapted["model"] !== call.body["model"];
    return JSON.stringify({ ...adapted, ...(keepsModel ? { ...others, ...override } : values) });
  }
  return Object.keys(values).length === 0 ? call.bodyText : patchTopLevel(call.bodyText, values);
}

/**
 * The input of an attempt besides the call and its channel. `accessToken` is for providers that exchange the key for
 * one, `uploaded` for providers that received files first.
 */
export type PrepareContext = {
  readonly options: OptionsInForce;
  readonly timeouts: PhaseTimeouts;
  readonly nowMs: number;
  readonly accessToken: string | undefined;
  readonly uploaded?: readonly string[] | undefined;
  readonly reasoningFields?: ReasoningFields;
};

/** The request with the provider's signature, if it signs requests. */
export function signed(
  provider: Provider,
  request: OutgoingRequest & { readonly body: string },
  target: Target,
  nowMs: number,
): OutgoingRequest {
  const { auth } = provider;
  return auth?.sign ? { ...request, ...auth.sign(request, target, nowMs) } : request;
}

/** Whether the response is streamed as it arrives. False if the provider post-processes the complete response. */
export const isStreamed = (call: RelayCall, provider: Provider): boolean =>
  call.stream && provider.responses?.returnsBytesOnly !== true;

/**
 * Builds the HTTP request of one attempt. Throws RelayError for a channel type without a provider or a body that cannot
 * be converted.
 */
export function prepareRequest(call: RelayCall, choice: Choice, context: PrepareContext): Prepared {
  const { channel } = choice;
  const prepared =
    channel.neverStreams && canSynthesizeStream(call)
      ? { ...prepare(toNonStreamingCall(call), choice, context), isSynthesizedStream: true }
      : prepare(call, choice, context);
  const made = channel.hasSetting ? applySetting(prepared, channel, call) : prepared;
  const isRead = call.dialect.endpoint === undefined && (!made.passThrough || call.content?.filtersOutput === true);
  if (isRead || made.isSynthesizedStream) refuseManyCandidates(countCandidates(call));
  return made;
}

/** The number of requested candidates: only pass-through calls may request more than one. */
function countCandidates({ body, dialect }: RelayCall): { candidateCount?: number } {
  const count = asNumber(dialect.countCandidates ? dialect.countCandidates(body) : body["n"]);
  return count === undefined ? {} : { candidateCount: count };
}

const canSynthesizeStream = ({ stream, dialect: { endpoint } }: RelayCall): boolean =>
  stream && (endpoint === undefined || endpoint.isServedByChat);

/** The call as a non-streaming call. */
function toNonStreamingCall(call: RelayCall): RelayCall {
  const { stream: _stream, stream_options: _options, ...body } = call.body;
  const request = (): ChatRequest => ({ ...call.request(), stream: false, includeUsage: false });
  return { ...call, stream: false, body, bodyText: JSON.stringify(body), request };
}

type SameFormat = {
  readonly provider: Provider;
  readonly target: Target;
  readonly override: Json | undefined;
  readonly phases: Pick<OutgoingRequest, "firstByteMs" | "idleMs">;
};

/** The request for an upstream of the caller's own format: the caller's body with only what must change. */
function prepareSameFormat(call: RelayCall, context: PrepareContext, same: SameFormat): Prepared {
  const { provider, target, override, phases } = same;
  const method = "POST";
  const { url, headers } = provider.address(target, call.stream, call.body);
  const sent = otherBody(call, { provider, target, headers }, override);
  const last = getPostProcessing(provider, call.body, target);
  if (sent) return { provider, passThrough: true, request: { method, url, ...sent, ...phases }, ...last };
  const keepsBody = contentSettings(context.options).passesBodies && call.dialect.passesBodyUnchanged;
  const body = keepsBody ? call.bodyText : passThroughBody(call, provider, target, override);
  const request = signed(provider, { method, url, headers, body, ...phases }, target, context.nowMs);
  // Filtered content, and a stream that may end at a ceiling, must be decoded and re-encoded; non-chat endpoints have no other format.
  const isDecoded = call.content?.filtersOutput === true || call.chargeLimit !== undefined;
  const isFiltered = isDecoded && !call.dialect.endpoint && call.stream;
  const passThrough = provider.responses?.rewritesResponses !== true && !isFiltered;
  return { provider, passThrough, request, ...last, ...writtenStream(provider, call.body) };
}

/** Ends the names of models with reasoning enabled (option `claude.thinking_adapter_enabled`). */
const THINKING = /-thinking$/;

/** The model's maximum output, for callers of an API whose responses are as long as the model allows unless a limit is set. */
function getOutputMax({ dialect, model, maxOutputTokens }: RelayCall, upstreamModel: string): number | undefined {
  if (dialect.name !== "openai-responses" || maxOutputTokens !== undefined) return undefined;
  return findCatalogueEntry([upstreamModel, model].map((name) => name.replace(THINKING, "")))?.max_output;
}

function getRequest(call: RelayCall, { requests }: Provider, upstreamModel: string): ChatRequest {
  const request = withoutOwnImages(call.request(), [upstreamModel]);
  return requests?.keepsInstructions ? request : hoistInstructions(request);
}

function prepare(call: RelayCall, choice: Choice, context: PrepareContext): Prepared {
  const { channel } = choice;
  const { options, timeouts, nowMs, accessToken, uploaded } = context;
  const plain = toTarget(choice, call.model, providerSettings(options), call.clientHeaders);
  const known = accessToken === undefined ? plain : { ...plain, accessToken };
  const target = uploaded === undefined ? known : { ...known, uploaded };
  const chatProvider = providerFor(channel.type, target.model, call);
  const provider =
    call.dialect.endpoint && !call.isOverChat ? endpointProvider(chatProvider, call.dialect) : chatProvider;
  const isWhole = !isStreamed(call, provider) || provider.streaming?.neverStreams === true;
  const firstByteMs = isWhole ? timeouts.nonStreamingMs : timeouts.firstByteMs;
  const idleMs = isWhole ? timeouts.nonStreamingMs : timeouts.idleMs;
  const override = channel.paramOverride;
  if (provider.wireFormat === call.dialect.name)
    return prepareSameFormat(call, context, { provider, target, override, phases: { firstByteMs, idleMs } });
  const outputTokensMax = getOutputMax(call, target.model);
  const observed = context.reasoningFields?.of(channel, target.model, provider);
  const bounded: Target = compact({ ...target, outputTokensMax, reasoningField: observed?.reasoningField });
  const { url, headers, json } = provider.buildRequest(getRequest(call, provider, target.model), bounded);
  const body = JSON.stringify(override ? { ...json, ...override } : json);
  const request = signed(provider, { method: "POST", url, headers, body, firstByteMs, idleMs }, target, nowMs);
  return { provider: observed?.provider ?? provider, passThrough: false, request };
}
