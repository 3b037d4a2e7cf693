import { createThinkingAsText, thinkingAsText } from "../../core/chat/reasoning-as-text.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import type { StreamReader } from "../../core/wire/stream.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Prepared } from "./request-preparation.ts";

function readerAsText(reader: StreamReader): StreamReader {
  const convert = createThinkingAsText();
  return {
    read: (event) => convert(reader.read(event)),
    end: () => convert(reader.end()),
    isComplete: () => reader.isComplete(),
    ...(reader.usageSoFar ? { usageSoFar: reader.usageSoFar } : {}),
  };
}

/** The provider, with thinking told as text. */
const tellingThoughts = (provider: Provider): Provider => ({
  ...provider,
  parseResponse: (body) => thinkingAsText(provider.parseResponse(body)),
  newStreamReader: () => readerAsText(provider.newStreamReader()),
});

/**
 * What the channel's `setting` makes of an attempt: `force_format` has answers written anew, `thinking_to_content` brings OpenAI's
 * callers the thinking as text, `proxy` says the way. Endpoints beside chat have one form only.
 */
export function applySetting(prepared: Prepared, channel: RoutedChannel, call: RelayCall): Prepared {
  const isChat = call.dialect.endpoint === undefined;
  const tellsThoughts = channel.thinkingToContent && call.dialect.name === "openai-chat";
  return {
    ...prepared,
    provider: tellsThoughts ? tellingThoughts(prepared.provider) : prepared.provider,
    passThrough: prepared.passThrough && !(isChat && (channel.forceFormat || tellsThoughts)),
    request: channel.proxy === undefined ? prepared.request : { ...prepared.request, proxy: channel.proxy },
  };
}
