import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { accountsSpent } from "@turnpike/shared/events/billing";
import type { z } from "zod";
import type { Notifier } from "./notifier.ts";
import { formatQuota, topUpLink } from "./notice-amounts.ts";
import type { Thresholds } from "./thresholds.ts";

export type QuotaWarnings = ReturnType<typeof createQuotaWarnings>;
type Spent = z.output<(typeof accountsSpent)["data"]>;

const HOUR_MS = 3_600_000;
/** At most one per user in two hours. */
const LIMIT = { limit: 1, windowMs: 2 * HOUR_MS };
/** How long this replica skips a user after a decision; the exact limit is in the database. */
const QUIET_MS = { queued: 60_000, limited: 300_000, no_address: 300_000 } as const;
const QUIET_MAX = 100_000;

/** Warns users whose balance is below their threshold. Idempotent for the same spending. */
export function createQuotaWarnings(deps: {
  thresholds: Thresholds;
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  notifier: Notifier;
  options: () => OptionsInForce;
  nowMs: () => number;
}) {
  const { thresholds, target, notifier, options, nowMs } = deps;
  const quietUntilMs = new Map<number, number>();

  const findTarget = async (userId: number): Promise<GetNoticeTargetResponse | undefined> => {
    try {
      return await target(userId);
    } catch (error) {
      if (error instanceof AppError && error.code === "user_not_found") return undefined;
      throw error;
    }
  };
  const warn = async (userId: number, quota: number, threshold: number): Promise<void> => {
    const to = await findTarget(userId);
    const [balance, limit] = [formatQuota(quota, options()), formatQuota(threshold, options())];
    const outcome = to
      ? await notifier.notify(to, {
          template: "quota_warning",
          type: "quota_exceed",
          params: { balance, threshold: limit, link: topUpLink(options()) },
          values: [balance, limit],
          limit: LIMIT,
        })
      : "no_address";
    if (quietUntilMs.size >= QUIET_MAX) quietUntilMs.clear();
    quietUntilMs.set(userId, nowMs() + QUIET_MS[outcome]);
  };
  return {
    /** Checks balances after spending; throws unavailable, and the event may then be passed again. */
    async checkOnce({ accounts }: Spent): Promise<void> {
      const now = nowMs();
      const open = accounts.filter(({ userId }) => (quietUntilMs.get(userId) ?? 0) <= now);
      if (open.length === 0) return;
      const thresholdByUser = await thresholds.find(open.map(({ userId }) => userId));
      for (const { userId, quota } of open) {
        const threshold = thresholdByUser.get(userId) ?? Number.NEGATIVE_INFINITY;
        if (quota < threshold) await warn(userId, quota, threshold);
      }
    },
    /** Forgets what is cached about a user whose settings changed. */
    forget(userId: number): void {
      quietUntilMs.delete(userId);
      thresholds.forget(userId);
    },
    /** Handles a change of the site's settings. */
    forgetAll(): void {
      quietUntilMs.clear();
      thresholds.forgetAll();
    },
  };
}
