import { type RoutedChannel, getUpstreamModel } from "../../core/call/channel.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { getEffort } from "../../core/chat/reasoning.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";
import type { CallNeeds, Provider } from "../../providers/contract/provider.ts";
import { findProvider } from "../../providers/registry/providers.ts";

const NO_NEEDS: CallNeeds = { hasTools: false, effort: undefined };

/** What a call needs beyond its format. A call that no other format can express is left to its own. */
export function getNeeds({ body, dialect, request }: RelayCall): CallNeeds {
  const isOwn = dialect.name === "openai-chat";
  if (isOwn && body["tools"] === undefined && body["functions"] === undefined) return NO_NEEDS;
  try {
    const { tools, reasoning, candidateCount = 1 } = request();
    if (isOwn && candidateCount > 1) return NO_NEEDS;
    return { hasTools: tools !== undefined, effort: reasoning && getEffort(reasoning) };
  } catch (error) {
    if (error instanceof RelayError) return NO_NEEDS;
    throw error;
  }
}

/** The provider for a channel type and upstream model, or for a call of it. Throws RelayError if there is none. */
export function providerFor(channelType: number, model: string, call?: RelayCall): Provider {
  const provider = findProvider(channelType);
  if (!provider) throw new RelayError("no_available_channel", `channels of type ${channelType} cannot serve this call`);
  return provider.forModel ? provider.forModel(model, call && (() => getNeeds(call))) : provider;
}

/**
 * The provider that serves a dialect's calls on a channel: for non-chat endpoints the provider's own implementation,
 * else chat if the endpoint allows it.
 */
export function servingProvider(provider: Provider, { name, endpoint }: Dialect): Provider | undefined {
  if (!endpoint) return provider;
  return provider.endpoints?.[name as EndpointFormat] ?? (endpoint.isServedByChat ? provider : undefined);
}

/** The channel's provider for the model of a call; undefined if there is none. */
function exactProvider(channel: RoutedChannel, call: RelayCall): Provider | undefined {
  const provider = findProvider(channel.type);
  try {
    const model = getUpstreamModel(channel, call.model);
    return provider?.forModel ? provider.forModel(model, () => getNeeds(call)) : provider;
  } catch (error) {
    if (error instanceof RelayError) return undefined;
    throw error;
  }
}

/** Whether the channel has the exact endpoint of the call for the requested model. */
export const hasEndpoint = (channel: RoutedChannel, call: RelayCall): boolean =>
  exactProvider(channel, call)?.endpoints?.[call.dialect.name as EndpointFormat] !== undefined;

/** Whether the channel's upstream has the format of the call for the requested model. */
export const hasFormat = (channel: RoutedChannel, call: RelayCall): boolean =>
  exactProvider(channel, call)?.wireFormat === call.dialect.name;

/** Whether the channel can serve the call's endpoint for the requested model. */
export function serves(channel: RoutedChannel, call: RelayCall): boolean {
  if (call.dialect.endpoint?.ownField?.(call.body) !== undefined) return hasEndpoint(channel, call);
  const provider = exactProvider(channel, call);
  return provider !== undefined && servingProvider(provider, call.dialect) !== undefined;
}

/** `servingProvider`, or RelayError no_available_channel if there is none. */
export function endpointProvider(provider: Provider, dialect: Dialect): Provider {
  const serving = servingProvider(provider, dialect);
  if (serving) return serving;
  throw new RelayError("no_available_channel", `this channel does not serve ${dialect.name}`);
}
