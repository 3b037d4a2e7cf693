import { NANO } from "./own-usage.ts";
import type { ProviderReportDoc } from "../store/provider-report-document.ts";

/** "failing": the report could not be fetched several times in a row; "different": the bill and the log differ. */
export type ReportState = "equal" | "different" | "failing";
export const REPORT_STATES: readonly ReportState[] = ["equal", "different", "failing"];

/** Providers' report interfaces fail now and then; the third failure comes after half an hour. */
const FAILURES_MIN = 3;
/** Differences up to this share of the bill, or up to a cent, are of no concern. */
const SHARE_MAX = 0.01;
const COST_MIN = NANO / 100;

/** The sum of a day's differences beyond rounding, in nanodollars, whichever side they favour. */
export const sumDifferences = ({ differences }: Pick<ProviderReportDoc, "differences">): number =>
  differences.reduce((sum, { reason, cost }) => (reason === "rounding" ? sum : sum + Math.abs(cost ?? 0)), 0);

/** How a compared day stands. A day that was never compared has nothing to report. */
export function getReportState(doc: ProviderReportDoc | undefined): ReportState {
  if (!doc) return "equal";
  if (doc.failures >= FAILURES_MIN) return "failing";
  return sumDifferences(doc) > Math.max(COST_MIN, doc.reportedCost * SHARE_MAX) ? "different" : "equal";
}
