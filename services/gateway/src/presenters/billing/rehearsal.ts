import { requireField } from "../required-field.ts";
import type { RehearsalStep } from "@turnpike/contract/api/prices/rehearsal";
import type { RehearsedSum, RehearsePricesResponse } from "@turnpike/proto/billing/v1/price_book_service";

const toSum = (sum: RehearsedSum) => ({
  calls: sum.calls,
  quota: sum.quota,
  current_quota: sum.currentQuota,
  proposed_quota: sum.proposedQuota,
  costed_calls: sum.costedCalls,
  cost: sum.cost,
  costed_current_quota: sum.costedCurrentQuota,
  costed_proposed_quota: sum.costedProposedQuota,
});

/** One step of a price rehearsal. */
export const toRehearsalStep = (step: RehearsePricesResponse): RehearsalStep => ({
  revision: step.revision,
  rows: step.rows,
  models: step.models.map(({ model, group, sum }) => ({ model, group, ...toSum(requireField(sum, "sum")) })),
  users: step.users.map(({ userId, username, sum }) => ({
    user_id: userId,
    username,
    ...toSum(requireField(sum, "sum")),
  })),
  skipped: step.skipped.map(({ model, reason, calls, quota }) => ({ model, reason, calls, quota })),
  next: step.next ? { created_at: step.next.createdAt, id: step.next.id } : null,
});
