import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type {
  FetchBalanceRequest,
  FetchBalanceResponse,
  FetchModelsRequest,
  FetchModelsResponse,
} from "@turnpike/proto/relay/v1/relay_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { AccessTokens } from "../../pipeline/prepare/access-tokens.ts";
import { providerSettings } from "../../pipeline/prepare/provider-target.ts";
import type { Endpoint, Provider } from "../../providers/contract/provider.ts";
import type { ProviderSettings, Target } from "../../providers/contract/target.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import { cancelAfter, unsupportedType, withAccessToken } from "./channel-requests.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly options: () => OptionsInForce;
  readonly now: () => number;
};
type Account = FetchModelsRequest | FetchBalanceRequest;
type Failure = "fetch_models_failed" | "fetch_balance_failed";

const TIMEOUT_MS = 15_000;
const TIMEOUTS = { firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS };
const BYTES_MAX = 8 * 1024 * 1024;

/** The error of an account query; an AppError is returned unchanged. */
const toQueryError = (code: Failure, cause: unknown, detail = "upstream could not be read"): AppError =>
  cause instanceof AppError ? cause : new AppError(code, detail, { params: { detail }, cause });

const toAccountTarget = (account: Account, settings: ProviderSettings): Target => ({
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

/** Queries about an upstream account: its models and its balance. */
export function createAccountQueries(deps: Deps) {
  const getTarget = (account: Account): Promise<Target> =>
    withAccessToken(deps.accessTokens, toAccountTarget(account, providerSettings(deps.options())));

  /** Sends one GET for an account and parses the JSON response. */
  const read = async (provider: Provider, place: Endpoint, target: Target, code: Failure): Promise<unknown> => {
    const { url, headers } = provider.auth?.sign
      ? provider.auth.sign({ ...place, method: "GET", body: "" }, target, deps.now())
      : place;
    const response = await receiveResponse(
      deps.client,
      { method: "GET", url, headers, body: undefined, ...TIMEOUTS, ...through(target.proxy) },
      { bytesMax: BYTES_MAX, onCancel: cancelAfter(TIMEOUT_MS) },
    );
    if (response.status !== 200) throw toQueryError(code, undefined, `HTTP ${response.status}`);
    return JSON.parse(response.body.toString("utf8"));
  };

  return {
    async fetchModels(request: FetchModelsRequest): Promise<FetchModelsResponse> {
      const code = "fetch_models_failed";
      const provider = findProvider(request.type);
      if (!provider) throw unsupportedType(request.type);
      const { account } = provider;
      if (!account?.modelList) throw toQueryError(code, undefined, "the provider has no list of models");
      try {
        const target = await getTarget(request);
        const body = await read(provider, account.modelList(target), target, code);
        return { models: account.parseModelList?.(body) ?? [] };
      } catch (error) {
        throw toQueryError(code, error);
      }
    },
    async fetchBalance(request: FetchBalanceRequest): Promise<FetchBalanceResponse> {
      const code = "fetch_balance_failed";
      const provider = findProvider(request.type);
      if (!provider) throw unsupportedType(request.type);
      const balance = provider.account?.balance;
      if (!balance) throw toQueryError(code, undefined, "the provider does not report balances");
      try {
        const target = await getTarget(request);
        const requested = balance.places(target, deps.now()).map((place) => read(provider, place, target, code));
        return { balance: balance.read(await Promise.all(requested)) };
      } catch (error) {
        throw toQueryError(code, error);
      }
    },
  };
}
