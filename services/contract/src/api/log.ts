import { z } from "zod";
import { pageOf, queryNumber, queryText } from "./common.ts";

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
});
export type LogEntry = z.infer<typeof LogEntry>;

/** What a row's `other` may hold; every part may be missing. `frt` is milliseconds to the first token. */
export const LogDetails = z
  .object({
    model_ratio: z.number(),
    completion_ratio: z.number(),
    /** Dollars a call; -1 or missing when the model is priced by tokens. */
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
    /** Charges in dollars beside the tokens: `count` at `price` for every `per`. */
    surcharges: z.array(z.object({ name: z.string(), count: z.number(), price: z.number(), per: z.number() })),
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
    /** For admins only: the ids of the channels tried, in order. */
    admin_info: z.object({ use_channel: z.array(z.coerce.string()) }).partial(),
    reasoning_effort: z.string(),
    system_prompt: z.string(),
    context: z.unknown(),
    input_content: z.unknown(),
    output_content: z.unknown(),
    error_type: z.string(),
    error_code: z.string(),
    status_code: z.number(),
    channel_id: z.number(),
  })
  .partial();
export type LogDetails = z.infer<typeof LogDetails>;

/** Data of `GET /api/log/` and `/api/log/self`; pages count from 1. */
export const LogPage = pageOf(LogEntry);

/** Query of the log lists and of `stat`, beside `p` and `page_size`. `username` and `channel` are for admins. */
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
});
export type LogFilter = z.infer<typeof LogFilter>;

/** Data of `GET /api/log/stat` and `/api/log/self/stat`. `rpm` and `tpm` count the last minute. */
export const LogStat = z.object({ quota: z.int(), rpm: z.int(), tpm: z.int() });
export type LogStat = z.infer<typeof LogStat>;

/** Query of `GET /api/log/search` and `/self/search`: a type's number, a request id, or the beginning of a note. */
export const LogSearchQuery = z.object({ keyword: queryText });

/** Query of `GET /api/log/token`: an own token's key, with or without sk-. */
export const LogTokenQuery = z.object({ key: queryText });

/** Query of `GET /api/log/export` and `/self/export`: the filters of the list, and the language of the file (zh, en). */
export const LogExportQuery = LogFilter.extend({ lang: queryText });

/** Query of `DELETE /api/log/`; the response's data is the number of rows deleted. */
export const LogDeleteQuery = z.object({ target_timestamp: queryNumber });
