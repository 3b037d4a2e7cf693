import type { GetTokenBalanceResponse } from "@turnpike/proto/billing/v1/token_usage_service";
import { RelayError } from "../../core/errors/relay-error.ts";

const PATH = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/;

/** Clients display the number as received: 0.45, not 0.44999999999999996. */
const DECIMALS = 1_000_000;

export type BillingCall = "subscription" | "usage";
export type GetTokenBalance = (tokenId: number) => Promise<GetTokenBalanceResponse>;

/** The balance endpoint of a path; undefined for other paths. */
export const findBillingCall = (path: string): BillingCall | undefined =>
  PATH.exec(path)?.[1] as BillingCall | undefined;

const WRITERS: Readonly<Record<BillingCall, (balance: GetTokenBalanceResponse) => unknown>> = {
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
export async function getBillingResponse(asked: BillingCall, tokenId: number, get: GetTokenBalance): Promise<unknown> {
  const balance = await get(tokenId).catch((cause: unknown) => {
    throw new RelayError("service_unavailable", "the balance could not be read right now", {
      retryAfterSeconds: 2,
      cause,
    });
  });
  return WRITERS[asked](balance);
}
