import { z } from "zod/mini";

/** Seconds after which the status of models is read anew. */
export const MODEL_STATUS_SECONDS = 15;

/** The times of calls over a period; null without such calls. First-token times are of streaming calls. */
const ModelTimes = z.object({
  /** The share of calls that failed at an upstream, 0 to 1; null without calls, and where failed calls are not logged. */
  error_share: z.nullable(z.number()),
  p50_ms: z.nullable(z.int()),
  p95_ms: z.nullable(z.int()),
  first_token_p50_ms: z.nullable(z.int()),
  first_token_p95_ms: z.nullable(z.int()),
});
export type ModelTimes = z.infer<typeof ModelTimes>;

/** One model: whether it can be called now, and how its calls went. It names no channel and no count of calls. */
export const ModelStatus = z.object({
  model_name: z.string(),
  /**
   * unavailable: no channel serves it now, or it has no price; failing: most of its recent calls fail; degraded: many do;
   * available: all others.
   */
  state: z.enum(["available", "degraded", "failing", "unavailable"]),
  /** The share of failed calls of each hour from `first_hour` on; null without calls, 0 where failed calls are not logged. */
  hours: z.array(z.nullable(z.number())),
  /** The current and the previous hour. */
  recent: ModelTimes,
  /** The last 24 hours, the current one included. */
  day: ModelTimes,
});
export type ModelStatus = z.infer<typeof ModelStatus>;

/** Data of `GET /api/model_status`: the models that the caller can call, by name. */
export const ModelStatusList = z.object({
  updated_at: z.int(),
  /** The start of the first of the 24 hours. */
  first_hour: z.int(),
  /** The start of what `recent` covers. */
  recent_from: z.int(),
  /** Whether failed calls are logged; without them there is no share of failed calls. */
  errors_logged: z.boolean(),
  models: z.array(ModelStatus),
});
export type ModelStatusList = z.infer<typeof ModelStatusList>;
