import { z } from "zod/mini";

/** Channel types whose provider reports what an organization used and what it costs: OpenAI, Anthropic, OpenRouter. */
export const REPORT_CHANNEL_TYPES = [1, 14, 20] as const;

/**
 * Why a provider's report and the log differ. `unseen`: the provider has usage that no call of the log explains; `unreported`: the log
 * has usage that the report lacks; `tier`, `cache`: the same tokens at another service tier, or counted as another kind of prompt;
 * `rounding`: the bill's rounding; `price`: the provider charges another price than the catalogue names.
 */
export const REPORT_REASONS = ["unseen", "unreported", "tier", "cache", "price", "rounding"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** One difference. `cost` is nanodollars that the provider charges beyond what the log explains; null where the price is unknown. */
export const ReportDifference = z.object({
  reason: z.enum(REPORT_REASONS),
  model: z.string(),
  /** A kind of token, requests, web_search; "" for a whole model or line. */
  kind: z.string(),
  /** The kind or tier that the log has, where the provider counts the tokens as `kind` at `tier`. */
  counted_as: z.string(),
  tier: z.string(),
  tokens: z.int(),
  cost: z.nullable(z.int()),
});
export type ReportDifference = z.infer<typeof ReportDifference>;

/** A day of a channel's account. Costs are nanodollars; null where the catalogue has no price for some model. */
export const ReportDay = z.object({
  /** The first second of the day in UTC. */
  day: z.int(),
  checked_at: z.int(),
  /** Why the report could not be fetched, "" for a report. */
  problem: z.string(),
  calls: z.int(),
  estimated_calls: z.int(),
  tokens: z.int(),
  reported_tokens: z.int(),
  cost: z.nullable(z.int()),
  reported_cost: z.int(),
  differences: z.array(ReportDifference),
});
export type ReportDay = z.infer<typeof ReportDay>;

/** Data of `GET /api/channel/:id/report`: the account of a channel, and its days, newest first. */
export const ChannelReport = z.object({
  name: z.string(),
  is_supported: z.boolean(),
  /** The last characters of the report key, "" without one. */
  key_hint: z.string(),
  /** The channels with the same report key, whose calls are compared together. */
  channel_ids: z.array(z.int()),
  days: z.array(ReportDay),
});
export type ChannelReport = z.infer<typeof ChannelReport>;

/** Body of `PUT /api/channel/:id/report_key`; an empty key removes it. The response's data is its last characters. */
export const ReportKeyBody = z.object({ key: z.string().check(z.trim(), z.maxLength(512)) });

/** Body of `POST /api/channel/:id/report`: the day to compare now, by a second in it. The response's data is the day. */
export const ReportCheckBody = z.object({ day: z.int().check(z.gte(0)) });
