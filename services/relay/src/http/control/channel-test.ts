import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { TestChannelRequest, TestChannelResponse } from "@turnpike/proto/relay/v1/relay_service";
import { isNoResponse, RelayError } from "../../core/errors/relay-error.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import { attemptNonStreaming } from "../../pipeline/attempt/non-streaming-attempt.ts";
import type { AccessTokens } from "../../pipeline/prepare/access-tokens.ts";
import { providerSettings, toTarget } from "../../pipeline/prepare/provider-target.ts";
import { getPostProcessing, signed } from "../../pipeline/prepare/prepared-request.ts";
import { providerFor } from "../../pipeline/prepare/serving-provider.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { parseDisablingKeywords, shouldDisableChannel } from "../../routing/retry-rules.ts";
import { toRoutedChannel } from "../../routing/routing-table.ts";
import { through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import { cancelAfter, unsupportedType, withAccessToken } from "./channel-requests.ts";
import { testCall } from "./channel-test-request.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly options: () => OptionsInForce;
  readonly now: () => number;
};

const TIMEOUT_MS = 45_000;

function toFailedTest(error: unknown, timeMs: number, isUnusable: (error: RelayError) => boolean): TestChannelResponse {
  if (!(error instanceof RelayError)) throw error;
  const { upstream } = error;
  return {
    success: false,
    message: error.message,
    timeMs,
    status: isNoResponse(upstream) ? 0 : error.status,
    errorCode: upstream?.code ?? error.code,
    errorType: upstream?.type ?? "",
    unfit: isUnusable(error),
  };
}

/** Sends the smallest call that shows whether a channel responds. Throws RelayError if it fails. */
async function sendTest(deps: Deps, channel: RoutedChannel, model: string): Promise<void> {
  const choice = { channel, key: channel.keys[0] ?? "" };
  const target = await withAccessToken(deps.accessTokens, toTarget(choice, model, providerSettings(deps.options())));
  const { provider, request: requested } = testCall(providerFor(channel.type, target.model), model, target);
  const { url, headers, json } = requested;
  const body = JSON.stringify(channel.paramOverride ? { ...json, ...channel.paramOverride } : json);
  const timeouts = { firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, ...through(target.proxy) };
  const request = signed(provider, { method: "POST", url, headers, body, ...timeouts }, target, deps.now());
  const prepared = { provider, passThrough: false, request, ...getPostProcessing(provider, json, target) };
  await attemptNonStreaming(deps, prepared, channel.statusCodeMapping, { onCancel: cancelAfter(TIMEOUT_MS) });
}

/** Tests channels: one call to the upstream, with its result or failure. */
export function createChannelTest(deps: Deps) {
  return async function testChannel({ channel: sent, model }: TestChannelRequest): Promise<TestChannelResponse> {
    const channel = sent && toRoutedChannel(sent);
    if (!channel || !findProvider(channel.type)) throw unsupportedType(sent?.channel?.type ?? 0);
    const startedAtMs = deps.now();
    const elapsed = (): number => deps.now() - startedAtMs;
    try {
      await sendTest(deps, channel, model);
      const response = { status: 200, errorCode: "", errorType: "", unfit: false };
      return { success: true, message: "", timeMs: elapsed(), ...response };
    } catch (error) {
      const keywords = parseDisablingKeywords(deps.options().text("AutomaticDisableKeywords"));
      return toFailedTest(error, elapsed(), (failure) => shouldDisableChannel(failure, channel.type, keywords));
    }
  };
}
