import type { Choice } from "../../core/call/channel.ts";
import { withBody } from "../../core/call/call-body.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { ChatRequest } from "../../core/chat/chat.ts";
import { hoistInstructions } from "../../core/chat/instructions.ts";
import { compact } from "../../core/chat/json.ts";
import { refuseManyCandidates } from "../../core/chat/messages.ts";
import { withoutOwnImages } from "../../core/vendors/own-images.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import type { Target } from "../../providers/contract/target.ts";
import { applySetting } from "./channel-settings.ts";
import { type PrepareContext, type Prepared, signed } from "./prepared-request.ts";
import { toAttemptTarget } from "./provider-target.ts";
import { prepareSameFormat } from "./same-format-request.ts";
import { endpointProvider, providerFor } from "./serving-provider.ts";
import { canSynthesizeStream, countCandidates, getOutputMax, isStreamed } from "./serving-rules.ts";

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

/** The call as a non-streaming call. */
function toNonStreamingCall(call: RelayCall): RelayCall {
  const { stream: _stream, stream_options: _options, ...body } = call.body;
  return withBody({ ...call, stream: false }, body);
}

function getRequest(call: RelayCall, { requests }: Provider, upstreamModel: string): ChatRequest {
  const request = withoutOwnImages(call.request(), [upstreamModel]);
  return requests?.keepsInstructions ? request : hoistInstructions(request);
}

function prepare(call: RelayCall, choice: Choice, context: PrepareContext): Prepared {
  const { channel } = choice;
  const { timeouts, nowMs } = context;
  const target = toAttemptTarget(choice, call, context);
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
