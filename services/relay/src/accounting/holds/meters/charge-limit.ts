import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { toQuota } from "@turnpike/contract/pricing/dollars";
import { MAX_CHARGE } from "../../../core/call/charge-headers.ts";
import type { ChargeLimit, RelayCall } from "../../../core/call/relay-call.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import type { UsageEstimator } from "../../tokens/usage-estimator.ts";
import { getPriceTables } from "./call-price.ts";
import { estimateHold, getPrice } from "./metering.ts";

type Deps = { readonly options: () => OptionsInForce; readonly usageEstimator: UsageEstimator };

/** More than any model writes. */
const TOKENS_MAX = 2 ** 24;

/** The largest number of tokens that costs at most `quota`; -1 if not even 0 does. */
function findLargest(costs: (tokens: number) => number, quota: number): number {
  let [low, high] = [-1, TOKENS_MAX];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (costs(middle) <= quota) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * What a caller's ceiling buys at the price of the chosen channel, by the estimate of the prompt. Throws max_cost_exceeded if the
 * prompt alone, or the pieces that the call requests, cost more.
 */
export const createChargeLimits =
  ({ options, usageEstimator }: Deps) =>
  (call: RelayCall, dollars: number): ChargeLimit => {
    const tables = getPriceTables(options());
    const price = getPrice(call, tables);
    const estimate = estimateHold(call, { tables, price }, { options: options(), usageEstimator });
    const quota = toQuota(dollars, tables.quotaPerUnit);
    // A call need not use the tools that it may use; its charge ends at the ceiling.
    const completionTokens = findLargest((tokens) => estimate.leastFor(tokens) - estimate.optionalQuota, quota);
    if (completionTokens >= (call.dialect.endpoint ? 0 : 1)) return { quota, completionTokens };
    throw new RelayError(
      "max_cost_exceeded",
      `${MAX_CHARGE}: the prompt, or what else is charged whatever the response's length, costs more than ${dollars} dollars`,
      { param: MAX_CHARGE },
    );
  };

export type GetChargeLimit = ReturnType<typeof createChargeLimits>;
