import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

const SUBJECTS_MAX = 100_000;

export type MemoryRateLimiter = ReturnType<typeof createMemoryRateLimiter>;

/**
 * Limits how often a subject may do something in a window that begins with the first time. Counts in this process only, for at most
 * 100 000 subjects: above, the oldest window is forgotten.
 */
export function createMemoryRateLimiter(limit: { max: number; windowSeconds: number; subjectsMax?: number }) {
  const { max, windowSeconds, subjectsMax = SUBJECTS_MAX } = limit;
  const limiter = new RateLimiterMemory({ points: max, duration: windowSeconds });
  /** In the order in which their windows began. */
  const subjects = new Set<string>();

  const remember = (subject: string): void => {
    subjects.delete(subject);
    subjects.add(subject);
    const [oldest] = subjects.size > subjectsMax ? subjects : [];
    if (oldest === undefined) return;
    subjects.delete(oldest);
    void limiter.delete(oldest);
  };
  return {
    /** Counts one; returns the seconds to wait when the limit is exceeded, else undefined. */
    async take(subject: string): Promise<number | undefined> {
      const { isFirstInDuration, consumedPoints, msBeforeNext } = await limiter
        .consume(subject)
        // In memory nothing fails: a rejection is a refusal.
        .catch((refusal: RateLimiterRes) => refusal);
      if (isFirstInDuration) remember(subject);
      return consumedPoints > max ? Math.max(1, Math.ceil(msBeforeNext / 1000)) : undefined;
    },
  };
}
