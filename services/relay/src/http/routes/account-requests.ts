import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Choice } from "../../core/call/channel.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { redactAttemptSecrets } from "../../core/call/secret-redaction.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { clientDisconnected } from "../../pipeline/attempt/disconnects.ts";
import { providerSettings, toTarget } from "../../pipeline/prepare/provider-target.ts";
import type { OpenedState, StateCodec, StateOwner } from "../../pipeline/provider-state/state-codec.ts";
import { hideUpstreamError } from "../../pipeline/settle/hidden-errors.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { UpstreamResponse } from "../../upstream/upstream-call.ts";
import { toRelayError, toUpstreamError } from "../../upstream/upstream-errors.ts";

const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** An account that keeps state, and its provider's implementation of the Responses API. */
export type Account = { readonly choice: Choice; readonly provider: Provider };

/** A free request about state; `path` is relative to that of `resource`. */
export type AccountRequest = {
  readonly method: "GET" | "DELETE" | "POST";
  readonly resource: "responses" | "conversations";
  readonly path: string;
  readonly query: readonly [string, string][];
  readonly body?: string;
};

type Deps = {
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly client: UpstreamClient;
  readonly stateCodec: StateCodec;
  readonly now: () => number;
};

/** The same for ids that are forged, of other users, deleted, or of removed accounts. */
export const notFound = (param: string): RelayError => new RelayError("not_found", `${param}: not found`, { param });

/** The account of a channel and key; undefined if its provider does not have the Responses API. */
export function toAccount(choice: Choice): Account | undefined {
  const provider = findProvider(choice.channel.type)?.endpoints?.["openai-responses"];
  return provider && { choice, provider };
}

/** Parameters of a list that are passed on, and those of them that name an item. */
const PARAMETERS = ["include", "include[]", "limit", "order", "after", "before"] as const;
const ITEM_PARAMETERS: ReadonlySet<string> = new Set(["after", "before"]);

/** The parameters for upstream, with its own ids. Throws not_found for items that were not sealed for the caller. */
export const toOwnQuery = (query: URLSearchParams, open: (id: string) => OpenedState | undefined): [string, string][] =>
  PARAMETERS.flatMap((name) =>
    query.getAll(name).map((value): [string, string] => {
      if (!ITEM_PARAMETERS.has(name)) return [name, value];
      const opened = open(value);
      if (!opened) throw notFound(name);
      return [name, opened.value];
    }),
  );

/** The URL of a resource next to or below the endpoint of responses, whose own query stays. */
function toResourceUrl(endpoint: string, { resource, path, query }: AccountRequest): string {
  const url = new URL(endpoint);
  const base = url.pathname.replace(/\/responses\/?$/, `/${resource}`);
  url.pathname = path === "" ? base : `${base}/${path}`;
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}

/** Finds accounts by what they keep, and sends them requests that cost nothing. */
export function createAccountRequests(deps: Deps) {
  const receive = async (exchange: Exchange, { choice, provider }: Account, sent: AccountRequest) => {
    const { channel } = choice;
    // Azure's address needs a model's name, and drops it.
    const target = toTarget(choice, channel.models[0] ?? "", providerSettings(deps.options()));
    const { url, headers } = provider.address(target, false);
    const request = {
      method: sent.method,
      url: toResourceUrl(url, sent),
      headers,
      body: sent.method === "POST" ? (sent.body ?? "{}") : undefined,
      firstByteMs: TIMEOUT_MS,
      idleMs: TIMEOUT_MS,
      ...through(channel.proxy),
    };
    const limits = {
      bytesMax: RESPONSE_BYTES_MAX,
      onCancel: (cancel: (reason: Error) => void) => exchange.onDisconnect(() => cancel(clientDisconnected())),
    };
    const response = await receiveResponse(deps.client, request, limits).catch((error: unknown) => {
      throw toRelayError(error);
    });
    if (response.status >= 200 && response.status <= 299) return response;
    const { statusCodeMapping } = channel;
    throw toUpstreamError({ response, provider, statusCodeMapping, nowMs: deps.now() });
  };
  return {
    /** Throws not_found for accounts that were removed. */
    find(owner: StateOwner, param: string): Account {
      const channel = deps.table().byId(owner.channelId);
      const key = channel?.keys.find((one) => deps.stateCodec.getKeyName(one) === owner.keyName);
      const account = channel && key !== undefined ? toAccount({ channel, key }) : undefined;
      if (!account) throw notFound(param);
      return account;
    },
    /** Throws the caller's error, without the account's secrets. */
    send: (exchange: Exchange, account: Account, sent: AccountRequest): Promise<UpstreamResponse> =>
      receive(exchange, account, sent).catch((error: unknown) => {
        if (!(error instanceof RelayError)) throw error;
        throw hideUpstreamError(redactAttemptSecrets(account.choice, error), deps.options());
      }),
  };
}

export type AccountRequests = ReturnType<typeof createAccountRequests>;

/** Whether an account reports that it does not have something; the message may name its own id. */
export const isMissing = (error: unknown): boolean => error instanceof RelayError && error.status === 404;
