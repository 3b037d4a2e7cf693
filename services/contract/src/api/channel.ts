import { z } from "zod/mini";
import { anyNumber, pageSchema, queryFlag, queryText, integer } from "./common.ts";

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

/**
 * One channel as an administrator sees it. It never contains a key. `models` and `group` are comma-separated;
 * `*_mapping`, `setting`, `param_override` and `other_info` are JSON as text or "".
 */
export const Channel = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  /** Last four characters of the first key. */
  key_hint: z.string(),
  key_count: z.int(),
  openai_organization: z.string(),
  max_input_tokens: z.int(),
  base_url: z.string(),
  other: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  models: z.string(),
  group: z.string(),
  /** 1 or 0. */
  auto_ban: z.int(),
  test_model: z.string(),
  priority: z.int(),
  weight: z.int(),
  tag: z.string(),
  model_prefix: z.string(),
  setting: z.string(),
  param_override: z.string(),
  /** What its upstream charges: JSON of a cost side (pricing/channel-cost.ts); "" for the catalogue's prices. */
  cost: z.string(),
  /** 1 enabled, 2 disabled, 3 auto-disabled. */
  status: z.int(),
  /** Duration of the last test in milliseconds, 0 before the first. */
  response_time: z.int(),
  balance: z.number(),
  used_quota: z.int(),
  /** True where billing is unavailable: `used_quota` is then 0 and unknown. */
  used_quota_missing: z.optional(z.boolean()),
  expired_time: z.int(),
  other_info: z.string(),
  created_time: z.int(),
  test_time: z.int(),
  /** Why the last test failed; "" if it succeeded. */
  test_error: z._default(z.string(), ""),
  balance_updated_time: z.int(),
  health: z.optional(ChannelHealth),
});
export type Channel = z.infer<typeof Channel>;

/** Contents of `other_info` after a channel was disabled automatically. */
export const ChannelOtherInfo = z.object({
  status_reason: z.optional(z.string()),
  status_time: z.optional(z.number()),
});

/** Data of `GET /api/channel/?paged=true` and `/api/channel/search?paged=true`; pages count from 0. */
export const ChannelPage = pageSchema(Channel);

/** Query of the channel lists, besides `p` and `page_size`. */
export const ChannelFilter = z.object({
  keyword: queryText,
  group: queryText,
  model: queryText,
  /** Matches this exact tag. */
  tag: z._default(z.string().check(z.trim(), z.maxLength(255)), ""),
  id_sort: queryFlag,
  tag_mode: queryFlag,
  paged: queryFlag,
});

const fields = {
  name: z.string().check(z.trim()),
  type: integer,
  key: z.string(),
  openai_organization: z.string().check(z.trim()),
  max_input_tokens: integer,
  base_url: z.string().check(z.trim()),
  other: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  models: z.string(),
  group: z.string(),
  auto_ban: integer,
  test_model: z.string().check(z.trim()),
  priority: anyNumber,
  weight: anyNumber,
  tag: z.string().check(z.trim()),
  model_prefix: z.string().check(z.trim()),
  setting: z.string(),
  param_override: z.string(),
  cost: z.string(),
  status: integer,
};

/** Body of `POST /api/channel/`. Absent and null fields have their defaults. */
export const ChannelCreateBody = z.required(z.partial(z.object(fields)), { name: true, type: true, key: true });
export type ChannelCreateBody = z.infer<typeof ChannelCreateBody>;

/** Body of `PUT /api/channel/`: only fields that are present change; an empty key keeps the old one. */
export const ChannelUpdateBody = z.extend(z.partial(z.object(fields)), { id: integer });
export type ChannelUpdateBody = z.infer<typeof ChannelUpdateBody>;

/**
 * A copy by `POST /api/channel/`: with `copy_from` (or, when there is no key, with the `id` that clients send along),
 * omitted fields and the keys are taken from that channel.
 */
export const ChannelCopyFields = z.object({ copy_from: z.optional(integer), id: z.optional(integer) });

const channelIds = z._default(z.array(integer), []);
/** A comma-separated list, or a JSON array. */
const commaList = z.union([
  z.string(),
  z.pipe(
    z.array(z.string()),
    z.transform((parts) => parts.join(",")),
  ),
]);

/** Body of `POST /api/channel/batch`, which deletes; data is the number of deleted channels. */
export const ChannelIdsBody = z.object({ ids: channelIds });

/**
 * Body of `POST /api/channel/batch/tag`; a null or absent tag removes the tag. Data is the number of changed channels.
 */
export const ChannelBatchTagBody = z.object({ ids: channelIds, tag: z.optional(z.string().check(z.trim())) });

/** Body of `POST /api/channel/tag/enabled` and `/api/channel/tag/disabled`; data is the number of changed channels. */
export const ChannelTagBody = z.object({ tag: z._default(z.string().check(z.trim()), "") });

/**
 * Body of `PUT /api/channel/tag`; data is the number of changed channels. Empty `model_mapping`, `models` and `groups`
 * change nothing, an empty `new_tag` removes the tag from its channels.
 */
export const ChannelTagEditBody = z.extend(ChannelTagBody, {
  new_tag: z.optional(z.string().check(z.trim())),
  priority: z.optional(anyNumber),
  weight: z.optional(anyNumber),
  model_mapping: z._default(z.string(), ""),
  models: z._default(commaList, ""),
  groups: z._default(commaList, ""),
});

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

/**
 * Body of `POST /api/channel/fetch_models`: an upstream account that is not stored yet. The response's data is a list
 * of names.
 */
export const FetchModelsBody = z.object({
  base_url: z._default(z.string().check(z.trim()), ""),
  type: integer,
  key: z._default(z.string(), ""),
});
export type FetchModelsBody = z.infer<typeof FetchModelsBody>;

/**
 * Data of `GET /api/channel/{id}/price_list`, and of `POST`, which fetches it first: the price list of the reseller above the channel, in
 * figures. Times in seconds, 0 for never; `error` is why a later attempt failed.
 */
export const ChannelPriceList = z.object({
  fetched_at: z.int(),
  /** The family's form: pricing, ratio_config. */
  source: z.string(),
  models: z.int(),
  /** How many of the channel's models it prices. */
  priced_models: z.int(),
  groups: z.record(z.string(), z.number()),
  error: z.string(),
  error_at: z.int(),
});
export type ChannelPriceList = z.infer<typeof ChannelPriceList>;

/** Data of `GET /api/models`: the default models of each channel type. */
export const ModelsByChannelType = z.record(z.string(), z.array(z.string()));

/** Data of `GET /api/channel/models`: every model that this version knows. */
export const KnownModels = z.array(z.object({ id: z.string() }));
