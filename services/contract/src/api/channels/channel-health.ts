import { z } from "zod/mini";

/** Statistics of a channel's calls in the last five minutes, over all relays. */
export const ChannelHealth = z.object({
  /** idle: no calls; closed: in use; partial: some keys are open; half_open: being probed; open: skipped. */
  state: z.enum(["idle", "closed", "partial", "half_open", "open"]),
  calls: z.int(),
  /** The share of failed calls, 0 to 1. */
  error_rate: z.number(),
  /** Mean time to first byte of successful calls. */
  latency_ms: z.int(),
  /** "" for none. */
  last_error: z.string(),
  last_error_at: z.int(),
});
export type ChannelHealth = z.infer<typeof ChannelHealth>;

/** Query of `GET /api/channel/hours`: the numbers of channels, separated by commas. */
export const ChannelHoursQuery = z.object({
  ids: z.string().check(z.maxLength(2_000), z.regex(/^\d+(,\d+)*$/)),
});

/** The calls of one channel in the last 24 hours, oldest first; hours without calls have counts of 0. */
export const ChannelHours = z.object({
  channel_id: z.int(),
  hours: z.array(
    z.object({
      hour: z.int(),
      count: z.int(),
      /** Failed attempts that were logged. */
      error_count: z.int(),
      /** Mean total time of the calls; 0 without calls. */
      average_ms: z.int(),
    }),
  ),
});
export type ChannelHours = z.infer<typeof ChannelHours>;

/** One key of a channel, without its secret. */
export const ChannelKeyHealth = z.object({
  /** The last characters of the key. */
  key_hint: z.string(),
  /** disabled: by the system; open and half_open: the circuit breaker's state at some relay. */
  state: z.enum(["in_use", "disabled", "open", "half_open"]),
  /** "" and 0 while it is enabled. */
  status_reason: z.string(),
  status_time: z.int(),
});
export type ChannelKeyHealth = z.infer<typeof ChannelKeyHealth>;

/** Data of `GET /api/channel/{id}/health`; the newest error first, five at most. */
export const ChannelHealthDetail = z.extend(ChannelHealth, {
  errors: z.array(z.object({ message: z.string(), status: z.int(), at: z.int() })),
  keys: z.array(ChannelKeyHealth),
});
export type ChannelHealthDetail = z.infer<typeof ChannelHealthDetail>;
