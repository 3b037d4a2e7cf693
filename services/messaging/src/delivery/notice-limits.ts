import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import { type ClientSession, type Connection, type Model, Schema } from "mongoose";

/** How often something was done in the window that ends at `resetAt`. */
type LimitDoc = { _id: string; count: number; resetAt: Date };
type Limit = { readonly limit: number; readonly windowMs: number };
export type NoticeLimits = ReturnType<typeof createNoticeLimits>;

const schema = new Schema<LimitDoc>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    resetAt: { type: Date, required: true },
  },
  { collection: "notice_limits", strict: "throw", autoIndex: false, versionKey: false },
);
schema.index({ resetAt: 1 }, { expireAfterSeconds: 0, name: "forget_ended" });

/** The collection of limits. */
export const noticeLimitModel = (mongo: Connection): Model<LimitDoc> => mongo.model<LimitDoc>("NoticeLimit", schema);

/**
 * Counters that outlive restarts and are shared by all replicas. They are in MongoDB, unlike other limits, because a
 * notice is counted in the transaction that queues it: a redelivered event neither sends nor counts it twice.
 */
export function createNoticeLimits(deps: { limits: Model<LimitDoc>; nowMs: () => number }) {
  const { limits, nowMs } = deps;
  /** One update: an expired window starts again, a full window stays as it is. */
  const step = (key: string, { limit, windowMs }: Limit, session: ClientSession | undefined) => {
    const now = new Date(nowMs());
    const isOver = { $lte: [{ $ifNull: ["$resetAt", new Date(0)] }, now] };
    return limits
      .findOneAndUpdate(
        { _id: key },
        [
          {
            $set: {
              count: { $cond: [isOver, 1, { $min: [{ $add: ["$count", 1] }, limit + 1] }] },
              resetAt: { $cond: [isOver, new Date(now.getTime() + windowMs), "$resetAt"] },
            },
          },
        ],
        { upsert: true, returnDocument: "after", updatePipeline: true, ...(session ? { session } : {}) },
      )
      .maxTimeMS(QUERY_TIMEOUT_MS)
      .lean<LimitDoc>();
  };
  return {
    /** Counts one more; returns 0 when it is within the limit, else the seconds until the next one is allowed. */
    async take(key: string, limit: Limit, session?: ClientSession): Promise<number> {
      const run = async (): Promise<LimitDoc> => {
        try {
          return await step(key, limit, session);
        } catch (error) {
          // Two writers started the same window at once; the whole transaction is run again.
          if (!isDuplicateKey(error) || session) throw error;
          return step(key, limit, session);
        }
      };
      const { count, resetAt } = await run();
      return count <= limit.limit ? 0 : Math.max(1, Math.ceil((resetAt.getTime() - nowMs()) / 1000));
    },
  };
}
