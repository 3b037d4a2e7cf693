import type { IncomingMessage } from "node:http";
import type { GetTokenBalanceResponse } from "@turnpike/proto/billing/v1/token_usage_service";
import type { Admit } from "../../admission/admission.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { BillingReport } from "./route-table.ts";

/** Clients display the number as received: 0.45, not 0.44999999999999996. */
const DECIMALS = 1_000_000;

export type GetTokenBalance = (tokenId: number) => Promise<GetTokenBalanceResponse>;

const WRITERS: Readonly<Record<BillingReport, (balance: GetTokenBalanceResponse) => unknown>> = {
  subscription: ({ limit, accessUntil }) => ({
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: accessUntil,
  }),
  usage: ({ totalUsage }) => ({ object: "list", total_usage: Math.round(totalUsage * DECIMALS) / DECIMALS }),
};

/** The response of a balance endpoint; throws service_unavailable while billing is down. */
async function getBillingResponse(report: BillingReport, tokenId: number, get: GetTokenBalance): Promise<unknown> {
  const balance = await get(tokenId).catch((cause: unknown) => {
    throw new RelayError("service_unavailable", "the balance could not be read right now", {
      retryAfterSeconds: 2,
      cause,
    });
  });
  return WRITERS[report](balance);
}

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly getTokenBalance: GetTokenBalance;
};

/** Serves the balance endpoints that many clients use. */
export function createBillingRoute(deps: Deps) {
  return async function serveBilling(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    report: BillingReport,
  ): Promise<void> {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const response = await getBillingResponse(report, caller.known.token.id, deps.getTokenBalance);
    sendJson(exchange, 200, JSON.stringify(response));
  };
}
