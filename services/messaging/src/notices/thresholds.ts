import type { NoticeTargetServiceServer } from "@turnpike/proto/auth/v1/notice_target_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

export type Thresholds = ReturnType<typeof createThresholds>;

const IDS_PER_REQUEST = 1_000;
const CACHED_MS = 60_000;
const CACHED_MAX = 50_000;
/** The threshold of users who get no warnings, because they are deleted or disabled. */
const NEVER = Number.NEGATIVE_INFINITY;

/** The balances below which users get a warning, cached for a minute. */
export function createThresholds(deps: {
  auth: Pick<GrpcClient<NoticeTargetServiceServer>, "listWarningThresholds">;
  nowMs: () => number;
}) {
  const { auth, nowMs } = deps;
  const known = new Map<number, { readonly threshold: number; readonly untilMs: number }>();
  const fetchThresholds = async (userIds: readonly number[]): Promise<void> => {
    const { thresholds } = await auth.listWarningThresholds({ userIds: [...userIds] });
    const found = new Map(thresholds.map(({ userId, threshold }) => [userId, threshold]));
    const untilMs = nowMs() + CACHED_MS;
    if (known.size + userIds.length > CACHED_MAX) known.clear();
    for (const id of userIds) known.set(id, { threshold: found.get(id) ?? NEVER, untilMs });
  };
  return {
    /** Thresholds by user; minus infinity for users without warnings. Throws unavailable while auth is down. */
    async find(userIds: readonly number[]): Promise<Map<number, number>> {
      const now = nowMs();
      const missing = userIds.filter((id) => (known.get(id)?.untilMs ?? 0) <= now);
      for (let start = 0; start < missing.length; start += IDS_PER_REQUEST)
        await fetchThresholds(missing.slice(start, start + IDS_PER_REQUEST));
      return new Map(userIds.map((id) => [id, known.get(id)?.threshold ?? NEVER]));
    },
    forget: (userId: number): void => void known.delete(userId),
    forgetAll: (): void => known.clear(),
  };
}
