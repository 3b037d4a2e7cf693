import type { ReportDifference } from "@turnpike/contract/api/channels/provider-report";

/** A day of a provider's report compared with the log; the id is `<channel id>:<day>`. Costs are nanodollars. */
export type ProviderReportDoc = {
  readonly _id: string;
  readonly channelId: number;
  /** The first second of the day in UTC. */
  readonly day: number;
  readonly checkedAtMs: number;
  /** Failed tries in a row, and when the next one is due; 0 after a success. */
  readonly failures: number;
  readonly nextTryAtMs: number;
  /** Why the last try failed; "" after a success. */
  readonly problem: string;
  readonly calls: number;
  readonly estimatedCalls: number;
  readonly tokens: number;
  readonly reportedTokens: number;
  /** null where the catalogue has no price for some model. */
  readonly cost: number | null;
  readonly reportedCost: number;
  readonly differences: readonly ReportDifference[];
};
