import type { IncomingMessage } from "node:http";
import { resolveAlias } from "@turnpike/contract/options/model-routes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { Admit } from "../../admission/admission.ts";
import { getAliases } from "../../admission/model-access.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { getModel } from "../../dialects/endpoints/endpoint-fields.ts";
import { checkShapes } from "../../dialects/openai-responses/field-shapes.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { findTiers } from "../../pipeline/candidates.ts";
import { readRelayCall } from "../../pipeline/prepare/read/call-reader.ts";
import { hasEndpoint } from "../../pipeline/prepare/serving-provider.ts";
import { openSummaries } from "../../pipeline/stored-responses/opened-summaries.ts";
import { createStateBinding } from "../../pipeline/provider-state/state-binding.ts";
import type { StateCodec } from "../../pipeline/provider-state/state-codec.ts";
import { continueCall } from "../../pipeline/stored-responses/continued-calls.ts";
import type { StoredResponses } from "../../pipeline/stored-responses/stored-responses.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { readBody } from "../server/request-body.ts";
import { type AccountRequests, toAccount } from "./account-requests.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly stateCodec: StateCodec;
  readonly accounts: AccountRequests;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly responses: StoredResponses;
  readonly tokenizer: Tokenizer;
  readonly bodyBytesMax: number;
  readonly now: () => number;
};

/** The input may be missing: a stored response alone can be counted. */
const COUNTED: Dialect = {
  ...openAiResponses,
  readFields(body) {
    const model = getModel(body, undefined);
    checkShapes(body);
    return { model, stream: false, includeUsage: false, maxOutputTokens: undefined };
  },
};
/** Statuses of accounts that do not count tokens. */
const WITHOUT = new Set([404, 405, 501]);
/** A count charges nothing, so that nothing depends on earlier turns. */
const NO_CONTEXT = { keep: (): void => undefined, find: (): Promise<number> => Promise.resolve(0) };

/** Counts the input by the relay's own tokenizer, off the event loop. */
async function countInput({ body, dialect }: RelayCall, tokenizer: Pick<Tokenizer, "count">): Promise<number> {
  const { text = "", extraTokens = 0 } = dialect.endpoint?.prompt(body) ?? {};
  const [counted = 0] = await tokenizer.count([text]);
  return counted + extraTokens;
}

/**
 * Serves `POST /v1/responses/input_tokens`, free of charge: from the account that keeps what the input refers to, or one that
 * serves the model; by the relay's own count for models without the Responses API.
 */
export function createInputTokensRoute(deps: Deps) {
  const { stateCodec: codec, table, options, chooser } = deps;
  const bindState = createStateBinding({ codec, options, table, contextTokens: NO_CONTEXT });

  /** The count of an account; undefined if none counts for this model. */
  const countUpstream = async (exchange: Exchange, received: RelayCall): Promise<Buffer | undefined> => {
    const { call, tiers } = bindState(received, findTiers(received, table(), options()));
    const having = tiers.map((tier) => tier.filter((channel) => hasEndpoint(channel, call)));
    const choice = chooser.choose(
      having.filter((tier) => tier.length > 0),
      [],
      { model: call.model },
    );
    const account = choice && toAccount(choice);
    if (!account) return undefined;
    const model = getUpstreamModel(account.choice.channel, call.model);
    const body = JSON.stringify({ ...call.body, model });
    const sent = { method: "POST", resource: "responses", path: "input_tokens", query: [], body } as const;
    try {
      return (await deps.accounts.send(exchange, account, sent)).body;
    } catch (error) {
      const isWithout = error instanceof RelayError && WITHOUT.has(error.status) && call.isBound !== true;
      if (isWithout) return undefined;
      throw error;
    }
  };

  return async function serveInputTokens(request: IncomingMessage, exchange: Exchange, path: string): Promise<void> {
    if (request.method !== "POST") {
      exchange.response.setHeader("allow", "POST");
      throw new RelayError("method_not_allowed", `${request.method ?? ""} is not allowed here`);
    }
    const address = deps.clientAddress(request);
    const admitted = await deps.admit(request.headers, path, address);
    const bodyText = await readBody(request, deps.bodyBytesMax);
    const { headers } = request;
    const { requestId } = exchange;
    const startedAtMs = deps.now();
    const read = readRelayCall({ requestId, startedAtMs, address, admitted, dialect: COUNTED, headers, bodyText });
    const model = resolveAlias(getAliases(options(), admitted.caller.known.routes), read.model);
    const isKept = deps.responses.getSeconds() > 0;
    const continued = isKept
      ? await continueCall(deps.responses, { ...read, model }, startedAtMs)
      : { call: { ...read, model } };
    const call = openSummaries(codec, continued.call);
    const counted =
      (await countUpstream(exchange, call)) ??
      JSON.stringify({ object: "response.input_tokens", input_tokens: await countInput(call, deps.tokenizer) });
    sendJson(exchange, 200, counted);
  };
}
