import { z } from "zod/mini";
import { queryText } from "../common.ts";

/** Query of `GET /api/channel/test/{id}`; without a model the channel's default test model is used. */
export const ChannelTestQuery = z.object({ model: queryText });

/** Response of `GET /api/channel/test/{id}`: the envelope plus the duration of the call in seconds. */
export const ChannelTestResult = z.object({ success: z.boolean(), message: z.string(), time: z.number() });
export type ChannelTestResult = z.infer<typeof ChannelTestResult>;

/** Response of `GET /api/channel/update_balance/{id}`: the envelope plus the balance, in the provider's currency. */
export const ChannelBalanceResult = z.object({ success: z.boolean(), message: z.string(), balance: z.number() });
export type ChannelBalanceResult = z.infer<typeof ChannelBalanceResult>;

/** Data of `GET /api/channel/update_balance`: false while the run is in progress. */
export const ChannelBalancesResult = z.object({ done: z.boolean() });

/** One item of `GET /api/channel/runs`: the current or last run over all channels. Times in seconds, 0 for not yet. */
export const ChannelRun = z.object({
  /** test or balance. */
  kind: z.string(),
  running: z.boolean(),
  started_at: z.int(),
  ended_at: z.int(),
  done: z.int(),
  failed: z.int(),
  disabled: z.int(),
  enabled: z.int(),
  /** The current number of channels in the run. */
  total: z.int(),
});
export type ChannelRun = z.infer<typeof ChannelRun>;

/** Parameter of `DELETE /api/channel/runs/{kind}`; data is whether a run was in progress. */
export const ChannelRunParams = z.object({ kind: z.enum(["test", "balance"]) });
