import { createReasoningAsText, reasoningAsText } from "./reasoning-as-text.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import type { StreamReader } from "../../core/wire/stream.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Prepared } from "./prepared-request.ts";

function readerAsText(reader: StreamReader): StreamReader {
  const convert = createReasoningAsText();
  return {
    read: (event) => convert(reader.read(event)),
    end: () => convert(reader.end()),
    isComplete: () => reader.isComplete(),
    ...(reader.usageSoFar ? { usageSoFar: reader.usageSoFar } : {}),
  };
}

/** The provider, with reasoning returned as text. */
const withReasoningAsText = (provider: Provider): Provider => ({
  ...provider,
  parseResponse: (body) => reasoningAsText(provider.parseResponse(body)),
  newStreamReader: () => readerAsText(provider.newStreamReader()),
});

/**
 * Applies the channel's `setting` to an attempt: `force_format` re-encodes responses, `thinking_to_content` returns
 * reasoning as text to OpenAI callers, `proxy` selects the proxy. Non-chat endpoints have one format only.
 */
export function applySetting(prepared: Prepared, channel: RoutedChannel, call: RelayCall): Prepared {
  const isChat = call.dialect.endpoint === undefined;
  const showsReasoning = channel.thinkingToContent && call.dialect.takesReasoningAsText === true;
  return {
    ...prepared,
    provider: showsReasoning ? withReasoningAsText(prepared.provider) : prepared.provider,
    passThrough: prepared.passThrough && !(isChat && (channel.forceFormat || showsReasoning)),
    request: channel.proxy === undefined ? prepared.request : { ...prepared.request, proxy: channel.proxy },
  };
}
