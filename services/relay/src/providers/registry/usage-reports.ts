import { REPORT_CHANNEL_TYPES } from "@turnpike/contract/api/channels/provider-report";
import { anthropicUsageReport } from "../usage-reports/anthropic-usage-report.ts";
import { openAiUsageReport } from "../usage-reports/openai-usage-report.ts";
import { openRouterActivity } from "../usage-reports/openrouter-activity.ts";
import type { UsageReport } from "../usage-reports/usage-report.ts";

const REPORTS: Readonly<Record<(typeof REPORT_CHANNEL_TYPES)[number], UsageReport>> = {
  1: openAiUsageReport,
  14: anthropicUsageReport,
  20: openRouterActivity,
};

/** The usage report of a channel type; undefined where its provider has none. */
export const findUsageReport = (type: number): UsageReport | undefined =>
  REPORT_CHANNEL_TYPES.some((known) => known === type) ? REPORTS[type as keyof typeof REPORTS] : undefined;
