import { REPORT_REASONS, type ReportDay, type ReportDifference } from "@turnpike/contract/api/channels/provider-report";
import type {
  ReportDay as StoredDay,
  ReportDifference as StoredDifference,
} from "@turnpike/proto/billing/v1/provider_report_service";

const toDifference = ({ reason, countedAs, cost, ...rest }: StoredDifference): ReportDifference => ({
  reason: REPORT_REASONS.find((known) => known === reason) ?? "price",
  model: rest.model,
  kind: rest.kind,
  tier: rest.tier,
  tokens: rest.tokens,
  counted_as: countedAs,
  cost: cost ?? null,
});

/** A compared day of a provider's report. */
export const toReportDay = (day: StoredDay): ReportDay => ({
  day: day.day,
  checked_at: day.checkedAtSeconds,
  problem: day.problem,
  calls: day.calls,
  estimated_calls: day.estimatedCalls,
  tokens: day.tokens,
  reported_tokens: day.reportedTokens,
  cost: day.cost ?? null,
  reported_cost: day.reportedCost,
  differences: day.differences.map(toDifference),
});
