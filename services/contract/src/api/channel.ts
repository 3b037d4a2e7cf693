import { z } from "zod";
import { anyNumber, pageOf, queryFlag, queryText, wholeNumber } from "./common.ts";

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

/** One key of a channel, without the key. */
export const ChannelKeyHealth = z.object({
  /** Its last characters. */
  key_hint: z.string(),
  /** disabled: by the system; open and half_open: the circuit breaker's state at some relay. */
  state: z.enum(["in_use", "disabled", "open", "half_open"]),
  /** "" and 0 while it is enabled. */
  status_reason: z.string(),
  status_time: z.int(),
});
export type ChannelKeyHealth = z.infer<typeof ChannelKeyHealth>;

/** Data of `GET /api/channel/{id}/health`; the newest error first, five at most. */
export const ChannelHealthDetail = ChannelHealth.extend({
  errors: z.array(z.object({ message: z.string(), status: z.int(), at: z.int() })),
  keys: z.array(ChannelKeyHealth),
});
export type ChannelHealthDetail = z.infer<typeof ChannelHealthDetail>;

/** One channel as an admin sees it. It never carries a key. `models` and `group` are comma lists; `*_mapping`, `setting`, `param_override` and `other_info` are JSON as text or "". */
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
  /** 1 enabled, 2 disabled, 3 auto-disabled. */
  status: z.int(),
  /** Milliseconds of the last test, 0 before the first. */
  response_time: z.int(),
  balance: z.number(),
  used_quota: z.int(),
  expired_time: z.int(),
  other_info: z.string(),
  created_time: z.int(),
  test_time: z.int(),
  balance_updated_time: z.int(),
  health: ChannelHealth.optional(),
});
export type Channel = z.infer<typeof Channel>;

/** What `other_info` holds once a channel was disabled automatically. */
export const ChannelOtherInfo = z.object({ status_reason: z.string().optional(), status_time: z.number().optional() });

/** Data of `GET /api/channel/?paged=true` and `/api/channel/search?paged=true`; pages count from 0. */
export const ChannelPage = pageOf(Channel);

/** Query of the channel lists, beside `p` and `page_size`. */
export const ChannelFilter = z.object({
  keyword: queryText,
  group: queryText,
  model: queryText,
  /** Exactly this tag. */
  tag: z.string().trim().max(255).default(""),
  id_sort: queryFlag,
  tag_mode: queryFlag,
  paged: queryFlag,
});

const fields = {
  name: z.string().trim(),
  type: wholeNumber,
  key: z.string(),
  openai_organization: z.string().trim(),
  max_input_tokens: wholeNumber,
  base_url: z.string().trim(),
  other: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  models: z.string(),
  group: z.string(),
  auto_ban: wholeNumber,
  test_model: z.string().trim(),
  priority: anyNumber,
  weight: anyNumber,
  tag: z.string().trim(),
  model_prefix: z.string().trim(),
  setting: z.string(),
  param_override: z.string(),
  status: wholeNumber,
};

/** Body of `POST /api/channel/`. Fields that are left out or null have their defaults. */
export const ChannelCreateBody = z.object(fields).partial().required({ name: true, type: true, key: true });
export type ChannelCreateBody = z.infer<typeof ChannelCreateBody>;

/** Body of `PUT /api/channel/`: only fields that are present change; an empty key keeps the old one. */
export const ChannelUpdateBody = z.object(fields).partial().extend({ id: wholeNumber });
export type ChannelUpdateBody = z.infer<typeof ChannelUpdateBody>;

/**
 * A copy by `POST /api/channel/`: with `copy_from` (or, when there is no key, with the `id` that clients send along),
 * omitted fields and the keys are taken from that channel.
 */
export const ChannelCopyFields = z.object({ copy_from: wholeNumber.optional(), id: wholeNumber.optional() });

const channelIds = z.array(wholeNumber).default([]);
/** A comma list, also as a JSON array. */
const commaList = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join(","))]);

/** Body of `POST /api/channel/batch`, which deletes; data is how many. */
export const ChannelIdsBody = z.object({ ids: channelIds });

/** Body of `POST /api/channel/batch/tag`; no tag or null removes the tag. Data is how many changed. */
export const ChannelBatchTagBody = z.object({ ids: channelIds, tag: z.string().trim().optional() });

/** Body of `POST /api/channel/tag/enabled` and `/api/channel/tag/disabled`; data is how many changed. */
export const ChannelTagBody = z.object({ tag: z.string().trim().default("") });

/**
 * Body of `PUT /api/channel/tag`; data is how many changed. Empty `model_mapping`, `models` and `groups` change nothing, an empty
 * `new_tag` dissolves the tag.
 */
export const ChannelTagEditBody = ChannelTagBody.extend({
  new_tag: z.string().trim().optional(),
  priority: anyNumber.optional(),
  weight: anyNumber.optional(),
  model_mapping: z.string().default(""),
  models: commaList.default(""),
  groups: commaList.default(""),
});

/** Query of `GET /api/channel/test/{id}`; no model means the channel's usual one. */
export const ChannelTestQuery = z.object({ model: queryText });

/** Response of `GET /api/channel/test/{id}`: the envelope plus the duration of the call in seconds. */
export const ChannelTestResult = z.object({ success: z.boolean(), message: z.string(), time: z.number() });
export type ChannelTestResult = z.infer<typeof ChannelTestResult>;

/** Response of `GET /api/channel/update_balance/{id}`: the envelope plus the balance, in the provider's currency. */
export const ChannelBalanceResult = z.object({ success: z.boolean(), message: z.string(), balance: z.number() });
export type ChannelBalanceResult = z.infer<typeof ChannelBalanceResult>;

/** Data of `GET /api/channel/update_balance`: false while the run is in progress. */
export const ChannelBalancesResult = z.object({ done: z.boolean() });

/** One of `GET /api/channel/runs`: the current or last run over all channels. Times in seconds, 0 for not yet. */
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

/** Parameter of `DELETE /api/channel/runs/{kind}`; data is whether it was in progress. */
export const ChannelRunParams = z.object({ kind: z.enum(["test", "balance"]) });

/**
 * Body of `POST /api/channel/fetch_models`: an upstream account that is not stored yet. The response's data is a list
 * of names.
 */
export const FetchModelsBody = z.object({
  base_url: z.string().trim().default(""),
  type: wholeNumber,
  key: z.string().default(""),
});
export type FetchModelsBody = z.infer<typeof FetchModelsBody>;

/** Data of `GET /api/models`: the default models of each channel type. */
export const ModelsByChannelType = z.record(z.string(), z.array(z.string()));
