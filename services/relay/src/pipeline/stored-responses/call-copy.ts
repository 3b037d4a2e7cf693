import type { Admitted } from "../../core/call/caller.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { readExactJson } from "../../core/chat/exact-json.ts";
import type { Json } from "../../core/chat/chat.ts";
import { getGroup } from "../../core/call/caller.ts";
import { watchCall } from "../../core/telemetry/call-metrics.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { patchTopLevel, removeTopLevel } from "../../core/call/body-patch.ts";
import { toCallBody } from "../../core/call/call-body.ts";
import { withEstimate } from "./continued-calls.ts";
import type { CallCopy } from "./call-copy-fields.ts";

const isSame = (input: unknown, stored: readonly Json[]): boolean =>
  Array.isArray(input) && input.length === stored.length && input.every((item, at) => item === stored[at]);

/** The copy of a call that is sent as a stream; `input` is what is stored as the input of its response. */
export function copyCall(
  call: RelayCall,
  input: readonly Json[],
  parts: Pick<CallCopy, "previous" | "conversationId" | "earlierCount">,
): CallCopy {
  const isInputShared = isSame(call.body["input"], input);
  const { requestId, startedAtMs, address, clientHeaders, sessionId, model, fallbackModels, admitted } = call;
  const { stream, includeUsage, includeCharge, maxOutputTokens, maxDollars } = call;
  const fields = { requestId, startedAtMs, address, clientHeaders, model, stream, includeUsage, includeCharge };
  return {
    ...fields,
    maxOutputTokens,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(fallbackModels === undefined ? {} : { fallbackModels }),
    ...(maxDollars === undefined ? {} : { maxDollars }),
    ...parts,
    bodyText: isInputShared ? removeTopLevel(call.bodyText, ["input"]) : call.bodyText,
    isInputShared,
    tokenId: admitted.caller.known.token.id,
    pinnedChannelId: admitted.pinnedChannelId,
  };
}

/** The call of a copy, for its caller as the token is now. */
export function restoreCall(copy: CallCopy, input: readonly Json[], admitted: Admitted): RelayCall {
  const { isInputShared, bodyText, tokenId: _token, pinnedChannelId: _pinned, ...others } = copy;
  const { previous: _previous, conversationId: _conversation, earlierCount: _earlier, ...fields } = others;
  const text = isInputShared ? patchTopLevel(bodyText, { input }) : bodyText;
  const body = readExactJson(text) as Json;
  return withEstimate({
    ...fields,
    // JSON has no undefined.
    maxOutputTokens: copy.maxOutputTokens,
    dialect: openAiResponses,
    admitted,
    group: getGroup(admitted),
    form: undefined,
    tried: [],
    firstByteAtMs: undefined,
    content: undefined,
    watch: watchCall(),
    ...toCallBody(openAiResponses, fields, { body, text }),
  });
}
