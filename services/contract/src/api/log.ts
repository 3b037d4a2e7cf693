import { z } from "zod/mini";
import { pageSchema, queryNumber, queryText } from "./common.ts";

/** One row of the usage log. `other` is a JSON object as text; LogDetails reads it. */
export const LogEntry = z.object({
  id: z.int(),
  created_at: z.int(),
  /** 1 top-up, 2 consumption, 3 admin, 4 system, 5 check-in, 6 error. */
  type: z.int(),
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  model_name: z.string(),
  /** Channel id; 0 and "" in a user's own log. */
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  is_stream: z.boolean(),
  /** Whole seconds. */
  use_time: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
  content: z.string(),
  client_ip: z.string(),
  request_id: z.string(),
  other: z.string(),
  /** What was refunded of `quota`; missing for 0. */
  refunded: z.optional(z.int()),
});
export type LogEntry = z.infer<typeof LogEntry>;

/**
 * A row as administrators see it: calls with what the upstream charges, in quota units, null while that is unknown, and where it is
 * known from (`COST_SOURCES`, or `cache`). `trace_url` opens the trace of a sampled call, by the option `TraceUrlTemplate`.
 */
export const AdminLogEntry = z.extend(LogEntry, {
  trace_url: z.optional(z.string()),
  cost: z.optional(z.nullable(z.int())),
  cost_source: z.optional(z.string()),
});
export type AdminLogEntry = z.infer<typeof AdminLogEntry>;

/** Contents of a row's `other`; every part may be missing. `frt` is milliseconds to the first token. */
export const LogDetails = z.partial(
  z.object({
    model_ratio: z.number(),
    completion_ratio: z.number(),
    /** Dollars per call; -1 or missing when the model is priced by tokens. */
    model_price: z.number(),
    group_ratio: z.number(),
    user_group_ratio: z.number(),
    cache_tokens: z.number(),
    cache_ratio: z.number(),
    cache_creation_tokens: z.number(),
    cache_creation_ratio: z.number(),
    /** Cache writes with a lifetime of five minutes and of an hour, where reported separately. */
    cache_creation_tokens_5m: z.number(),
    cache_creation_ratio_5m: z.number(),
    cache_creation_tokens_1h: z.number(),
    cache_creation_ratio_1h: z.number(),
    /** Audio and image tokens, as parts of the prompt and of the completion. */
    audio_input: z.number(),
    audio_output: z.number(),
    audio_ratio: z.number(),
    audio_completion_ratio: z.number(),
    image_input: z.number(),
    image_ratio: z.number(),
    /** Charges in dollars in addition to the tokens: `count` at `price` for every `per`. */
    surcharges: z.array(z.object({ name: z.string(), count: z.number(), price: z.number(), per: z.number() })),
    /** Each kind of token at its price in dollars per million; takes the place of the ratios. */
    lines: z.array(z.object({ kind: z.string(), tokens: z.number(), price: z.number() })),
    /**
     * Requests that the provider made within the call, such as the compaction of its conversation, that are charged by themselves.
     * The row's tokens include theirs; `lines` of the row do not.
     */
    iterations: z.array(
      z.object({
        type: z.string(),
        model: z.optional(z.string()),
        price_model: z.string(),
        prompt_tokens: z.number(),
        completion_tokens: z.number(),
        cache_tokens: z.number(),
        cache_creation_tokens: z.number(),
        cache_creation_tokens_1h: z.optional(z.number()),
        /** Dollars for the request, where its model is priced by the call. */
        model_price: z.optional(z.number()),
        lines: z.array(z.object({ kind: z.string(), tokens: z.number(), price: z.number() })),
      }),
    ),
    /** The service tier that the response names, where it is not the standard one. */
    service_tier: z.string(),
    /** The tier whose price was charged, and whether it is the most expensive one because it has none. */
    price_tier: z.string(),
    price_tier_assumed: z.boolean(),
    /** The prompt length above which the charged price holds. */
    price_band: z.number(),
    /** The region that processed the call, and its factor. */
    region: z.string(),
    region_ratio: z.number(),
    /** The kind of image that was charged: quality and size. */
    price_kind: z.string(),
    /** Items charged per piece. */
    price_units: z.number(),
    /** The rate in force at that moment. */
    quota_per_unit: z.number(),
    reasoning_tokens: z.number(),
    use_time_ms: z.number(),
    /** The non-chat endpoint that was called. */
    endpoint: z.string(),
    /** The response came from the response cache. */
    response_cache: z.boolean(),
    /** The share of the price charged for a cached response. */
    response_cache_ratio: z.number(),
    playground: z.boolean(),
    /** The rule that determined the price: model, upstream_model, fallback, unset_accepted. */
    price_rule: z.string(),
    usage_estimated: z.boolean(),
    claude: z.boolean(),
    is_model_mapped: z.boolean(),
    upstream_model_name: z.string(),
    frt: z.number(),
    /**
     * For administrators only: the ids of the channels tried, in order, the upstream error that callers do not see, and
     * the id of the trace of a sampled call.
     */
    admin_info: z.partial(
      z.object({ use_channel: z.array(z.coerce.string()), error: z.string(), trace_id: z.string() }),
    ),
    reasoning_effort: z.string(),
    system_prompt: z.string(),
    context: z.unknown(),
    input_content: z.unknown(),
    output_content: z.unknown(),
    error_type: z.string(),
    error_code: z.string(),
    status_code: z.number(),
    channel_id: z.number(),
    channel_name: z.string(),
    /** The failed attempt was followed by another. */
    is_retried: z.boolean(),
    /** Failed calls of the user that were not recorded before this one. */
    omitted_failures: z.number(),
    session_id: z.string(),
  }),
);
export type LogDetails = z.infer<typeof LogDetails>;

/** Data of `GET /api/log/self`; pages count from 1. */
export const LogPage = pageSchema(LogEntry);

/** Data of `GET /api/log/`; pages count from 1. */
export const AdminLogPage = pageSchema(AdminLogEntry);

/** Data of `GET /api/log/self/search` and `/api/log/token`. */
export const LogList = z.array(LogEntry);

/** Data of `GET /api/log/search`. */
export const AdminLogList = z.array(AdminLogEntry);

/**
 * Query of the log lists and of `stat`, besides `p` and `page_size`. `username` and `channel` are for administrators.
 */
export const LogFilter = z.object({
  type: queryNumber,
  username: queryText,
  token_name: queryText,
  model_name: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
  channel: queryNumber,
  group: queryText,
  request_id: queryText,
  /** Failed calls with this HTTP status or code. */
  error_code: queryText,
  /** Calls of this agent session, as a header of the call names it. */
  session_id: queryText,
});
export type LogFilter = z.infer<typeof LogFilter>;

/** The charged calls of an agent session; times are of the first and the last call, 0 without one. */
export const SessionStat = z.object({
  calls: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
  first_at: z.int(),
  last_at: z.int(),
});
export type SessionStat = z.infer<typeof SessionStat>;

/**
 * Data of `GET /api/log/stat` and `/api/log/self/stat`. `rpm` and `tpm` count the last minute; `session` is there if the query has a
 * `session_id`.
 */
export const LogStat = z.object({
  quota: z.int(),
  rpm: z.int(),
  tpm: z.int(),
  session: z.optional(SessionStat),
});
export type LogStat = z.infer<typeof LogStat>;

/** Query of `GET /api/log/search` and `/self/search`: a type's number, a request id, or the beginning of a note. */
export const LogSearchQuery = z.object({ keyword: queryText });

/** Query of `GET /api/log/token`: the key of one's own token, with or without sk-. */
export const LogTokenQuery = z.object({ key: queryText });

/** Query of `GET /api/log/export` and `/self/export`: the filters of the list, and the language of the file (zh, en). */
export const LogExportQuery = z.extend(LogFilter, { lang: queryText });

/** Query of `DELETE /api/log/`; the response's data is the number of rows deleted. */
export const LogDeleteQuery = z.object({ target_timestamp: queryNumber });
