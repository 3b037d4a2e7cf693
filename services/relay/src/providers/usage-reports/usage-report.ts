import { toScaled } from "@turnpike/contract/pricing/decimal";
import { STANDARD_TIERS } from "@turnpike/contract/pricing/rules/price-rule";
import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import type { Endpoint } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";

/** A page of a report; `next` names the page after it. */
export type ReportPage = { readonly lines: readonly ReportLine[]; readonly next: string | undefined };

/** One of the endpoints that a report consists of. */
export type ReportQuery = {
  readonly place: (target: Target, page: string | undefined) => Endpoint;
  /** Throws StreamFailure if the body is not a page of the report. */
  readonly read: (body: unknown) => ReportPage;
};

/** What a provider reports about a day of an organization. */
export type UsageReport = {
  /** The kinds of tokens that it distinguishes. */
  readonly kinds: readonly string[];
  readonly hasTiers: boolean;
  /** `daySeconds` is the first second of the day in UTC. */
  readonly queries: (daySeconds: number) => readonly ReportQuery[];
};

export const DAY_SECONDS = 86_400;

const NANO_PER_SCALE = 1_000n;

/** Dollars sent as a number or as text, as whole nanodollars. Throws StreamFailure for anything else. */
export function readNanodollars(value: unknown, unitsPerDollar = 1): number {
  const amount = asNumber(value) ?? (asText(value) ? Number(value) : Number.NaN);
  if (!Number.isFinite(amount)) throw unreadableResponse();
  const scaled = toScaled(Math.abs(amount)) / NANO_PER_SCALE;
  const nano = Number(scaled / BigInt(unitsPerDollar));
  return amount < 0 ? -nano : nano;
}

/** A count of a line; 0 where it is missing. */
export const readCount = (line: Json | undefined, field: string): number => Math.max(0, asNumber(line?.[field]) ?? 0);

/** A service tier; "" for the standard one. */
export function readTier(value: unknown): string {
  const tier = (asText(value) ?? "").toLowerCase();
  return STANDARD_TIERS.has(tier) ? "" : tier;
}

type Named = Pick<ReportLine, "model" | "kind"> & Partial<Pick<ReportLine, "tier" | "label">>;

/** A line of tokens or requests. */
export const toUsageLine = (line: Named, tokens: number): ReportLine => ({
  tier: "",
  label: "",
  ...line,
  tokens,
  isCost: false,
  costNanodollars: 0,
});

/** A line of cost. */
export const toCostLine = (line: Named, costNanodollars: number): ReportLine => ({
  tier: "",
  label: "",
  ...line,
  tokens: 0,
  isCost: true,
  costNanodollars,
});

/** The results in the buckets of a page, as OpenAI and Anthropic send them. Throws StreamFailure for another body. */
export function readBuckets(body: unknown, read: (result: Json) => readonly ReportLine[]): ReportPage {
  const page = asObject(body);
  const buckets = page?.["data"];
  if (!page || !Array.isArray(buckets)) throw unreadableResponse();
  const results = buckets.flatMap((bucket) => asList(asObject(bucket)?.["results"]));
  const lines = results.flatMap((result) => read(asObject(result) ?? {}));
  const next = page["has_more"] === true ? asText(page["next_page"]) : undefined;
  return { lines, next: next === "" ? undefined : next };
}

/** A base URL without the ending that some administrators enter. */
export const getReportBase = (target: Target, fallback: string): string =>
  (target.baseUrl || fallback).replace(/\/+$/, "").replace(/\/v1$/, "");
