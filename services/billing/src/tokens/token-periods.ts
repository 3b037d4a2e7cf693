import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { tokenChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { AccountChanges } from "../accounts/account-changes.ts";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { TokenDoc } from "../store/account-documents.ts";
import { isBudgetPeriod, getPeriodEnd } from "./budget-period.ts";

export type TokenPeriods = ReturnType<typeof createTokenPeriods>;

const BATCH_SIZE = 200;

/**
 * Resets the remaining quota of tokens whose period has ended, once per period: posted usage stays spent, and the
 * budget grows so that the period's quota remains. An exhausted token works again.
 */
export function createTokenPeriods(deps: {
  collections: Pick<Collections, "tokens">;
  changes: Pick<AccountChanges, "budget">;
  bus: Bus;
  nowMs: () => number;
}) {
  const { tokens } = deps.collections;

  const reset = async (token: TokenDoc, nowSeconds: number): Promise<void> => {
    const { _id, userId, keyHash, periodEndsAt = 0, budgetPeriod = "" } = token;
    const isUsedUp = { $eq: ["$status", TOKEN_STATUS.exhausted] };
    const set = {
      budget: { $add: ["$spent", "$periodQuota"] },
      rev: { $add: ["$rev", 1] },
      status: { $cond: [isUsedUp, TOKEN_STATUS.enabled, "$status"] },
      periodEndsAt: isBudgetPeriod(budgetPeriod) ? getPeriodEnd(budgetPeriod, nowSeconds) : 0,
      changedAtMs: deps.nowMs(),
    };
    const { modifiedCount } = await tokens.updateOne({ _id, deletedAt: 0, periodEndsAt }, [{ $set: set }]);
    if (modifiedCount === 0) return;
    await deps.changes.budget(userId, _id);
    deps.bus.notify(tokenChanged, { tokenId: _id, userId, keyHash });
  };
  return async function resetDue(): Promise<void> {
    for (;;) {
      const nowSeconds = Math.floor(deps.nowMs() / 1000);
      const due = await tokens
        .find({ periodEndsAt: { $gt: 0, $lte: nowSeconds }, deletedAt: 0 }, { maxTimeMS: QUERY_TIMEOUT_MS })
        .limit(BATCH_SIZE)
        .toArray();
      for (const token of due) await reset(token, nowSeconds);
      if (due.length < BATCH_SIZE) return;
    }
  };
}
