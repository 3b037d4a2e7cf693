import { AppError } from "@turnpike/shared/errors/app-error";

const EXPORTS_MAX = 4;
const RETRY_SECONDS = "10";

/** Limits concurrent exports, one per user: each reads as much of the database as it can. */
export function createExportLimiter() {
  const running = new Set<number>();
  return {
    /** Takes a slot; throws export_busy when there is none. The end of the response releases it. */
    take(userId: number): () => void {
      if (running.has(userId) || running.size >= EXPORTS_MAX)
        throw new AppError("export_busy", "too many exports run", { params: { seconds: RETRY_SECONDS } });
      running.add(userId);
      return () => void running.delete(userId);
    },
  };
}
