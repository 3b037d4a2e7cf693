import { z } from "zod/mini";
import { anyNumber, integer, pageSchema, queryFlag, queryText } from "../common.ts";
import { ChannelHealth } from "./channel-health.ts";

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
