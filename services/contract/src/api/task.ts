import { z } from "zod/mini";
import { pageSchema, queryFlag, queryNumber, queryText } from "./common.ts";

/** An image task. Times are milliseconds except for `created_at`; 0 for not yet. */
export const ImageTask = z.object({
  id: z.int(),
  created_at: z.int(),
  /** The upstream's response to the submission: 1 submitted, 21 waiting, 22 duplicate, 0 not submitted. */
  code: z.int(),
  user_id: z.int(),
  username: z._default(z.string(), ""),
  /** 0 in a user's own list. */
  channel_id: z.int(),
  action: z.string(),
  /** The upstream task id. */
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  image_url: z.string(),
  /** NOT_START, SUBMITTED, IN_PROGRESS, MODAL, SUCCESS, FAILURE; "" while it is being submitted. */
  status: z.string(),
  /** 0% to 100%. */
  progress: z.string(),
  fail_reason: z.string(),
  quota: z.int(),
  /** The refunded part of it. */
  refunded_quota: z._default(z.int(), 0),
  /** JSON texts. */
  buttons: z.string(),
  properties: z.string(),
});
export type ImageTask = z.infer<typeof ImageTask>;

/** A task of another kind. Times are unix seconds. */
export const GenericTask = z.object({
  id: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  task_id: z.string(),
  /** suno. */
  platform: z.string(),
  user_id: z.int(),
  username: z._default(z.string(), ""),
  /** 0 in a user's own list. */
  channel_id: z.int(),
  quota: z.int(),
  refunded_quota: z._default(z.int(), 0),
  /** MUSIC, LYRICS. */
  action: z.string(),
  /** NOT_START, SUBMITTED, QUEUED, IN_PROGRESS, SUCCESS, FAILURE, UNKNOWN; "" while it is being submitted. */
  status: z.string(),
  fail_reason: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  progress: z.string(),
  properties: z.object({ input: z.string() }),
  /** The result, as the upstream describes it. */
  data: z.unknown(),
});
export type GenericTask = z.infer<typeof GenericTask>;

/** Data of `GET /api/mj/?paged=true`; without it the data is the items alone. Pages count from 0. */
export const ImageTaskPage = pageSchema(ImageTask);
export const GenericTaskPage = pageSchema(GenericTask);

/**
 * Query of `GET /api/mj/` and `/api/mj/self`, besides `p` and `page_size`; times in milliseconds; `channel_id` is for
 * administrators.
 */
export const ImageTaskFilter = z.object({
  channel_id: queryNumber,
  mj_id: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
  paged: queryFlag,
});

/**
 * Query of `GET /api/task/` and `/api/task/self`, besides `p` and `page_size`; times in seconds; `channel_id` is for
 * administrators.
 */
export const GenericTaskFilter = z.object({
  channel_id: queryNumber,
  platform: queryText,
  task_id: queryText,
  action: queryText,
  status: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
  paged: queryFlag,
});
