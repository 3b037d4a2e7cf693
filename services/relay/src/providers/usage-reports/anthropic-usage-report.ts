import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import type { Target } from "../contract/target.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import {
  DAY_SECONDS,
  getReportBase,
  readBuckets,
  readCount,
  readNanodollars,
  readTier,
  toCostLine,
  toUsageLine,
  type UsageReport,
} from "./usage-report.ts";

/** The kinds of tokens of a cost line. */
const BILLED_KINDS: Readonly<Record<string, string>> = {
  uncached_input_tokens: "input",
  output_tokens: "output",
  cache_read_input_tokens: "cache_read",
  "cache_creation.ephemeral_5m_input_tokens": "cache_write",
  "cache_creation.ephemeral_1h_input_tokens": "cache_write_1h",
};

/** Amounts are in cents. */
const CENTS = 100;

function readCost(result: Json): readonly ReportLine[] {
  if ((asText(result["currency"]) ?? "USD").toUpperCase() !== "USD") throw unreadableResponse();
  const cost = readNanodollars(result["amount"], CENTS);
  const label = asText(result["description"]) ?? asText(result["cost_type"]) ?? "";
  if (result["cost_type"] === "web_search") return [toCostLine({ model: "", kind: "web_search", label }, cost)];
  const model = asText(result["model"]) ?? "";
  const kind = BILLED_KINDS[asText(result["token_type"]) ?? ""] ?? "";
  return [toCostLine({ model, kind, tier: readTier(result["service_tier"]), label }, cost)];
}

function readUsage(result: Json): readonly ReportLine[] {
  const model = asText(result["model"]) ?? "";
  const tier = readTier(result["service_tier"]);
  const written = asObject(result["cache_creation"]);
  const tools = asObject(result["server_tool_use"]);
  return [
    toUsageLine({ model, kind: "input", tier }, readCount(result, "uncached_input_tokens")),
    toUsageLine({ model, kind: "cache_read", tier }, readCount(result, "cache_read_input_tokens")),
    toUsageLine({ model, kind: "cache_write", tier }, readCount(written, "ephemeral_5m_input_tokens")),
    toUsageLine({ model, kind: "cache_write_1h", tier }, readCount(written, "ephemeral_1h_input_tokens")),
    toUsageLine({ model, kind: "output", tier }, readCount(result, "output_tokens")),
    toUsageLine({ model: "", kind: "web_search" }, readCount(tools, "web_search_requests")),
  ].filter(({ tokens }) => tokens !== 0);
}

function toPlace(target: Target, path: string, query: readonly (readonly [string, string])[]) {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  return {
    url: `${getReportBase(target, "https://api.anthropic.com")}/v1/organizations/${path}?${search.toString()}`,
    headers: { "x-api-key": target.key, "anthropic-version": "2023-06-01" },
  };
}

const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

/**
 * Anthropic's usage of messages by model and service tier, and its cost report by description
 * (https://docs.anthropic.com/en/api/admin-api/usage-cost). The key is an organization's admin key.
 */
export const anthropicUsageReport: UsageReport = {
  kinds: ["input", "cache_read", "cache_write", "cache_write_1h", "output", "web_search"],
  hasTiers: true,
  queries(daySeconds) {
    const span = (page: string | undefined): [string, string][] => [
      ["starting_at", toTime(daySeconds)],
      ["ending_at", toTime(daySeconds + DAY_SECONDS)],
      ["bucket_width", "1d"],
      ["limit", "31"],
      ...(page === undefined ? [] : ([["page", page]] as [string, string][])),
    ];
    return [
      {
        place: (target, page) =>
          toPlace(target, "usage_report/messages", [
            ...span(page),
            ["group_by[]", "model"],
            ["group_by[]", "service_tier"],
          ]),
        read: (body) => readBuckets(body, readUsage),
      },
      {
        place: (target, page) => toPlace(target, "cost_report", [...span(page), ["group_by[]", "description"]]),
        read: (body) => readBuckets(body, readCost),
      },
    ];
  },
};
