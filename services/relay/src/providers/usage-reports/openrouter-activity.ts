import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import { asObject, asText } from "../../core/chat/json.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import {
  getReportBase,
  readCount,
  readNanodollars,
  toCostLine,
  toUsageLine,
  type UsageReport,
} from "./usage-report.ts";

function readActivity(entry: unknown): readonly ReportLine[] {
  const activity = asObject(entry) ?? {};
  const model = asText(activity["model"]) ?? "";
  const usage: readonly ReportLine[] = [
    toUsageLine({ model, kind: "input" }, readCount(activity, "prompt_tokens")),
    toUsageLine({ model, kind: "output" }, readCount(activity, "completion_tokens")),
    toUsageLine({ model, kind: "requests" }, readCount(activity, "requests")),
  ].filter(({ tokens }) => tokens > 0);
  return [...usage, toCostLine({ model, kind: "" }, readNanodollars(activity["usage"] ?? 0))];
}

/**
 * OpenRouter's activity of one day by model and endpoint (https://openrouter.ai/docs/api-reference/analytics/get-activity): the prompt
 * with its cached part, the completion with its reasoning, and one cost. The key is a management key.
 */
export const openRouterActivity: UsageReport = {
  kinds: ["input", "output"],
  hasTiers: false,
  queries(daySeconds) {
    const day = new Date(daySeconds * 1000).toISOString().slice(0, "2026-11-24".length);
    return [
      {
        place: (target) => ({
          url: `${getReportBase(target, "https://openrouter.ai/api")}/v1/activity?date=${day}`,
          headers: { authorization: `Bearer ${target.key}` },
        }),
        read(body) {
          const entries = asObject(body)?.["data"];
          if (!Array.isArray(entries)) throw unreadableResponse();
          return { lines: entries.flatMap(readActivity), next: undefined };
        },
      },
    ];
  },
};
