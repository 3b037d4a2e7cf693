import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import type { Balance } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

type Reader = (body: Json) => unknown;

const DAY_MS = 86_400_000;
const DAYS_BACK = 100;
const getDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A number sent as a number or as text. Throws StreamFailure for anything else. */
function readFigure(value: unknown): number {
  const figure = asNumber(value) ?? (asText(value) ? Number(value) : Number.NaN);
  if (!Number.isFinite(figure)) throw unreadableResponse();
  return figure;
}

const bearer = ({ key }: Target) => ({ authorization: `Bearer ${key}` });

/** A balance that a single request returns. */
const oneCall = (baseUrl: string, path: string, read: Reader): Balance => ({
  places: (target) => [{ url: (target.baseUrl || baseUrl).replace(/\/v1$/, "") + path, headers: bearer(target) }],
  read: ([body]) => readFigure(read(asObject(body) ?? {})),
});

/**
 * OpenAI's limit minus usage, which other gateways also implement and where these endpoints still respond. Accounts
 * with a payment method have a monthly limit, others a fixed total.
 */
export const openAiBalance: Balance = {
  places(target, nowMs) {
    const base = `${(target.baseUrl || "https://api.openai.com").replace(/\/v1(\/chat\/completions)?$/, "")}/v1/dashboard/billing`;
    const to = getDay(nowMs + DAY_MS);
    const headers = bearer(target);
    const usageSince = (day: string) => ({ url: `${base}/usage?start_date=${day}&end_date=${to}`, headers });
    const firstOfMonth = `${getDay(nowMs).slice(0, "2026-11".length)}-01`;
    return [
      { url: `${base}/subscription`, headers },
      usageSince(getDay(nowMs - DAYS_BACK * DAY_MS)),
      usageSince(firstOfMonth),
    ];
  },
  read([subscription, usage, usageOfMonth]) {
    const account = asObject(subscription);
    const used = account?.["has_payment_method"] === true ? usageOfMonth : usage;
    return readFigure(account?.["hard_limit_usd"]) - readFigure(asObject(used)?.["total_usage"]) / 100;
  },
};

/** Prefers yuan; accounts abroad have only dollars, and some have both: those are empty if both are used up. */
export const deepSeekBalance = oneCall("https://api.deepseek.com", "/user/balance", (body) => {
  const entries = asList(body["balance_infos"]).map((entry) => asObject(entry) ?? {});
  const yuan = entries.find((entry) => entry["currency"] === "CNY") ?? entries[0];
  const hasAny = (entry: Json | undefined): boolean => Number(entry?.["total_balance"]) > 0;
  return (hasAny(yuan) ? yuan : (entries.find(hasAny) ?? yuan))?.["total_balance"];
});

export const siliconFlowBalance = oneCall("https://api.siliconflow.cn", "/v1/user/info", (body) =>
  body["code"] === 20000 ? asObject(body["data"])?.["totalBalance"] : undefined,
);

export const moonshotBalance = oneCall(
  "https://api.moonshot.cn",
  "/v1/users/me/balance",
  (body) => asObject(body["data"])?.["available_balance"],
);

export const openRouterBalance = oneCall("https://openrouter.ai/api", "/v1/credits", (body) => {
  const data = asObject(body["data"]);
  return readFigure(data?.["total_credits"]) - readFigure(data?.["total_usage"]);
});
