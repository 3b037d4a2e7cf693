import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type {
  FetchBalanceRequest,
  FetchModelsRequest,
  RelayServiceServer,
  TestChannelResponse,
} from "@turnpike/proto/relay/v1/relay_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { AccessTokens } from "../../pipeline/prepare/access-tokens.ts";
import {
  getPostProcessing,
  providerFor,
  providerSettings,
  signed,
  toTarget,
} from "../../pipeline/prepare/request-preparation.ts";
import { attemptNonStreaming } from "../../pipeline/attempt/non-streaming-attempt.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { Endpoint, Provider, ProviderSettings, Target } from "../../providers/contract/provider.ts";
import { shouldDisableChannel, parseDisablingKeywords } from "../../routing/retry-rules.ts";
import { toRoutedChannel } from "../../routing/routing-table.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import { testCall } from "./channel-test-request.ts";
import { type OnCancel, receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly options: () => OptionsInForce;
  readonly now: () => number;
};

const TEST_TIMEOUT_MS = 45_000;
const LIST_TIMEOUT_MS = 15_000;
const LIST_TIMEOUTS = { firstByteMs: LIST_TIMEOUT_MS, idleMs: LIST_TIMEOUT_MS };
const LIST_BYTES_MAX = 8 * 1024 * 1024;

const cancelAfter =
  (timeoutMs: number): OnCancel =>
  (cancel) =>
    void setTimeout(() => cancel(new Error("the response took too long")), timeoutMs).unref();

function failedTest(error: unknown, timeMs: number, isUnusable: (error: RelayError) => boolean): TestChannelResponse {
  if (!(error instanceof RelayError)) throw error;
  const { upstream } = error;
  return {
    success: false,
    message: error.message,
    timeMs,
    status: upstream?.code === "no_answer" ? 0 : error.status,
    errorCode: upstream?.code ?? error.code,
    errorType: upstream?.type ?? "",
    unfit: isUnusable(error),
  };
}

const unsupported = (type: number): AppError =>
  new AppError("channel_type_unsupported", "no provider", { params: { type: String(type) } });

type ReadFailure = "fetch_models_failed" | "fetch_balance_failed";

/** The error of an account query; a RelayError is returned unchanged. */
const readFailed = (code: ReadFailure, cause: unknown, detail = "upstream could not be read"): AppError =>
  cause instanceof AppError ? cause : new AppError(code, detail, { params: { detail }, cause });

const accountTarget = (account: FetchModelsRequest | FetchBalanceRequest, settings: ProviderSettings): Target => ({
  channelType: account.type,
  baseUrl: account.baseUrl.replace(/\/+$/, ""),
  key: account.key,
  model: "",
  organization: "",
  other: account.other,
  clientHeaders: {},
  settings,
  ...through(account.proxy === "" ? undefined : account.proxy),
});

/** The requests of the channel service to a relay: a test call to an upstream, its model list, an account's balance. */
export function relayHandlers(deps: Deps): Handlers<RelayServiceServer> {
  const withToken = async (target: Target): Promise<Target> => {
    const accessToken = await deps.accessTokens.forTarget(target);
    return accessToken === undefined ? target : { ...target, accessToken };
  };

  const sendTest = async (routed: RoutedChannel, model: string): Promise<void> => {
    const choice = { channel: routed, key: routed.keys[0] ?? "" };
    const target = await withToken(toTarget(choice, model, providerSettings(deps.options())));
    const { provider, request: asked } = testCall(providerFor(routed.type, target.model), model, target);
    const { url, headers, json } = asked;
    const body = JSON.stringify(routed.paramOverride ? { ...json, ...routed.paramOverride } : json);
    const timeouts = { firstByteMs: TEST_TIMEOUT_MS, idleMs: TEST_TIMEOUT_MS, ...through(target.proxy) };
    const request = signed(provider, { method: "POST", url, headers, body, ...timeouts }, target, deps.now());
    const prepared = { provider, passThrough: false, request, ...getPostProcessing(provider, json, target) };
    await attemptNonStreaming(deps, prepared, routed.statusCodeMapping, cancelAfter(TEST_TIMEOUT_MS));
  };

  /** Sends one GET for an account and parses the JSON response. */
  const read = async (provider: Provider, place: Endpoint, target: Target, code: ReadFailure): Promise<unknown> => {
    const { url, headers } = provider.auth?.sign
      ? provider.auth.sign({ ...place, method: "GET", body: "" }, target, deps.now())
      : place;
    const answer = await receiveResponse(
      deps.client,
      { method: "GET", url, headers, body: undefined, ...LIST_TIMEOUTS, ...through(target.proxy) },
      { bytesMax: LIST_BYTES_MAX, onCancel: cancelAfter(LIST_TIMEOUT_MS) },
    );
    if (answer.status !== 200) throw readFailed(code, undefined, `HTTP ${answer.status}`);
    return JSON.parse(answer.body.toString("utf8"));
  };

  return {
    async testChannel({ channel, model }) {
      const routed = channel && toRoutedChannel(channel);
      if (!routed || !findProvider(routed.type)) throw unsupported(channel?.channel?.type ?? 0);
      const startedAtMs = deps.now();
      const elapsed = (): number => deps.now() - startedAtMs;
      try {
        await sendTest(routed, model);
        const answer = { status: 200, errorCode: "", errorType: "", unfit: false };
        return { success: true, message: "", timeMs: elapsed(), ...answer };
      } catch (error) {
        const keywords = parseDisablingKeywords(deps.options().text("AutomaticDisableKeywords"));
        return failedTest(error, elapsed(), (failure) => shouldDisableChannel(failure, routed.type, keywords));
      }
    },
    async fetchModels(account) {
      const code = "fetch_models_failed";
      const provider = findProvider(account.type);
      if (!provider) throw unsupported(account.type);
      if (!provider.account?.modelList) throw readFailed(code, undefined, "the provider has no list of models");
      try {
        const target = await withToken(accountTarget(account, providerSettings(deps.options())));
        const body = await read(provider, provider.account.modelList(target), target, code);
        return { models: provider.account.parseModelList?.(body) ?? [] };
      } catch (error) {
        throw readFailed(code, error);
      }
    },
    async fetchBalance(account) {
      const code = "fetch_balance_failed";
      const provider = findProvider(account.type);
      if (!provider) throw unsupported(account.type);
      if (!provider.account?.balance) throw readFailed(code, undefined, "the provider does not report balances");
      const { places, read: readBalance } = provider.account.balance;
      try {
        const target = await withToken(accountTarget(account, providerSettings(deps.options())));
        const asked = places(target, deps.now()).map((place) => read(provider, place, target, code));
        return { balance: readBalance(await Promise.all(asked)) };
      } catch (error) {
        throw readFailed(code, error);
      }
    },
  };
}
