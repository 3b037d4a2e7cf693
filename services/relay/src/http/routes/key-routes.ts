import type { IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatDollars } from "@turnpike/contract/pricing/dollars";
import type { GetTokenBalanceResponse } from "@turnpike/proto/billing/v1/token_usage_service";
import type { ListLogsResponse, LogRow } from "@turnpike/proto/billing/v1/log_service";
import { getPriceTables } from "../../accounting/holds/meters/call-price.ts";
import type { Admit } from "../../admission/admission.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { asCount, asNumber, asObject, parseJson } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { StateCodec } from "../../pipeline/provider-state/state-codec.ts";
import type { GetTokenBalance } from "./billing-routes.ts";

/** What names a call: its request id, or the id that upstream gave its response. */
type CallName = { readonly requestId: string } | { readonly responseId: string };

/** The log row of a user's charged call, the newest of that name; an empty list while it is not posted. */
export type FindLogRow = (userId: number, name: CallName) => Promise<ListLogsResponse>;

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly getTokenBalance: GetTokenBalance;
  readonly findLogRow: FindLogRow;
  readonly stateCodec: Pick<StateCodec, "openId">;
  readonly options: () => OptionsInForce;
};

const PERIODS: Readonly<Record<string, string>> = { day: "daily", week: "weekly", month: "monthly" };
/** Ids that the relay writes into responses: the request id behind the dialect's prefix. */
const PREFIX = /^(?:chatcmpl-|cmpl-|msg_|resp_|gen-)/;

const unavailable = (cause: unknown): never => {
  throw new RelayError("service_unavailable", "billing cannot be reached right now", { retryAfterSeconds: 2, cause });
};

function checkMethod({ method = "" }: IncomingMessage, { response }: Exchange): void {
  if (method === "GET" || method === "HEAD") return;
  response.setHeader("allow", "GET");
  throw new RelayError("method_not_allowed", `${method} is not allowed here`);
}

const toDollars = (quota: number, options: OptionsInForce): number =>
  (quota < 0 ? -1 : 1) * Number(formatDollars(Math.abs(quota), getPriceTables(options).quotaPerUnit));

const toTime = (seconds: number): string | null => (seconds > 0 ? new Date(seconds * 1000).toISOString() : null);

/** The usage of the current day, week and month (UTC). */
const writePeriods = (balance: GetTokenBalanceResponse, options: OptionsInForce) => ({
  usage_daily: toDollars(balance.usedToday, options),
  usage_weekly: toDollars(balance.usedThisWeek, options),
  usage_monthly: toDollars(balance.usedThisMonth, options),
  byok_usage_daily: 0,
  byok_usage_weekly: 0,
  byok_usage_monthly: 0,
});

/**
 * Serves what is left of the calling key, as OpenRouter's `GET /key` does
 * (https://openrouter.ai/docs/api-reference/api-keys/get-current-api-key); dollars.
 */
export const createKeyRoute =
  (deps: Deps) =>
  async (request: IncomingMessage, exchange: Exchange, path: string): Promise<void> => {
    checkMethod(request, exchange);
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const { token } = caller.known;
    const balance = await deps.getTokenBalance(token.id).catch(unavailable);
    const options = deps.options();
    const [left, used] = [toDollars(balance.remainQuota, options), toDollars(balance.usedQuota, options)];
    const hasRequestLimit = token.rateLimitEnabled && token.rateLimitCount > 0;
    const data = {
      label: token.name,
      limit: balance.unlimited ? null : toDollars(balance.remainQuota + balance.usedQuota, options),
      limit_remaining: balance.unlimited ? null : left,
      limit_reset: PERIODS[token.budgetPeriod] ?? null,
      usage: used,
      ...writePeriods(balance, options),
      byok_usage: 0,
      include_byok_in_limit: false,
      is_free_tier: false,
      is_provisioning_key: false,
      rate_limit: {
        requests: hasRequestLimit ? token.rateLimitCount : -1,
        interval: `${hasRequestLimit ? token.rateLimitPeriod : 60}s`,
      },
      expires_at: toTime(balance.accessUntil),
    };
    sendJson(exchange, 200, JSON.stringify({ data }));
  };

/** A log row in the form of OpenRouter's `GET /generation`; times in ms. */
function writeGeneration(id: string, row: LogRow, options: OptionsInForce) {
  const other = asObject(parseJson(row.otherJson)) ?? {};
  const cached = asCount(other["cache_tokens"]);
  const written = asCount(other["cache_creation_tokens"]);
  // Rows of Anthropic's callers count the prompt without its cached parts.
  const promptTokens = row.promptTokens + (other["claude"] === true ? cached + written : 0);
  const latency = asNumber(other["frt"]);
  const wholeMs = asNumber(other["use_time_ms"]) ?? row.useTime * 1000;
  const firstMs = latency !== undefined && latency >= 0 ? latency : null;
  const cost = toDollars(row.quota - row.refunded, options);
  return {
    id,
    request_id: row.requestId,
    created_at: toTime(row.createdAt),
    model: row.modelName,
    streamed: row.isStream,
    cancelled: other["error_code"] === "stream_interrupted",
    total_cost: cost,
    usage: cost,
    cache_discount: null,
    is_byok: false,
    upstream_id: null,
    provider_name: null,
    app_id: null,
    origin: "",
    latency: firstMs,
    generation_time: Math.max(0, wholeMs - (firstMs ?? 0)),
    finish_reason: null,
    native_finish_reason: null,
    tokens_prompt: promptTokens,
    tokens_completion: row.completionTokens,
    native_tokens_prompt: promptTokens,
    native_tokens_completion: row.completionTokens,
    native_tokens_reasoning: asCount(other["reasoning_tokens"]),
    native_tokens_cached: cached,
  };
}

/**
 * Finds a call by its request id, the id of a response that the relay wrote, or the one that upstream gave its response,
 * which the caller saw as it is or sealed. Undefined also for the calls of other users.
 */
async function findCall(deps: Deps, userId: number, id: string): Promise<LogRow | undefined> {
  const responseId = deps.stateCodec.openId(userId, id)?.value ?? id;
  const found = await Promise.all([
    deps.findLogRow(userId, { requestId: id.replace(PREFIX, "") }),
    deps.findLogRow(userId, { responseId }),
  ]);
  return found.flatMap(({ items }) => items)[0];
}

/**
 * Serves what one of the caller's calls cost, as OpenRouter's `GET /generation` does. The id is the call's
 * `x-request-id` or the id in its response. 404 until the call is posted, which takes about a second.
 */
export const createGenerationRoute =
  (deps: Deps) =>
  async (request: IncomingMessage, exchange: Exchange, path: string): Promise<void> => {
    checkMethod(request, exchange);
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const id = new URL(request.url ?? "", "http://relay").searchParams.get("id") ?? "";
    if (id.replace(PREFIX, "") === "") throw new RelayError("invalid_request", "id: is required", { param: "id" });
    const row = await findCall(deps, caller.known.token.userId, id).catch(unavailable);
    if (!row) throw new RelayError("not_found", `no charged call has the id ${id}`, { param: "id" });
    sendJson(exchange, 200, JSON.stringify({ data: writeGeneration(id, row, deps.options()) }));
  };
