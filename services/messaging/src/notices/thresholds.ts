import type { NoticeTargetServiceServer } from "@turnpike/proto/auth/v1/notice_target_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

export type Thresholds = ReturnType<typeof createThresholds>;

const ASKED_AT_ONCE = 1_000;
const KEPT_MS = 60_000;
const KEPT_MAX = 50_000;
/** Of users who want no warnings, since they are gone or banned. */
const NEVER = Number.NEGATIVE_INFINITY;

/** Below which balance users want a warning, remembered for a minute. */
export function createThresholds(deps: {
  auth: Pick<GrpcClient<NoticeTargetServiceServer>, "listWarningThresholds">;
  nowMs: () => number;
}) {
  const { auth, nowMs } = deps;
  const known = new Map<number, { readonly threshold: number; readonly untilMs: number }>();
  const ask = async (userIds: readonly number[]): Promise<void> => {
    const { thresholds } = await auth.listWarningThresholds({ userIds: [...userIds] });
    const answered = new Map(thresholds.map(({ userId, threshold }) => [userId, threshold]));
    const untilMs = nowMs() + KEPT_MS;
    if (known.size + userIds.length > KEPT_MAX) known.clear();
    for (const id of userIds) known.set(id, { threshold: answered.get(id) ?? NEVER, untilMs });
  };
  return {
    /** Thresholds by user; minus infinity for users without warnings. Throws unavailable while auth is down. */
    async of(userIds: readonly number[]): Promise<Map<number, number>> {
      const now = nowMs();
      const missing = userIds.filter((id) => (known.get(id)?.untilMs ?? 0) <= now);
      for (let start = 0; start < missing.length; start += ASKED_AT_ONCE)
        await ask(missing.slice(start, start + ASKED_AT_ONCE));
      return new Map(userIds.map((id) => [id, known.get(id)?.threshold ?? NEVER]));
    },
    forget: (userId: number): void => void known.delete(userId),
    forgetAll: (): void => known.clear(),
  };
}
