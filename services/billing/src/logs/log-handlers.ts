import type { LogServiceServer } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import { allowOwner, requireAdmin } from "@turnpike/shared/grpc/caller";
import { toPageRange } from "../store/query.ts";
import type { LogCleaner } from "./log-cleaner.ts";
import { ANY_LOG } from "./log-filter.ts";
import type { LogReader } from "./log-reader.ts";
import { toLogRow, toLogRowWithCost } from "./log-row.ts";
import type { LogStatistics } from "./log-statistics.ts";
import type { RollupReader } from "./rollup-reader.ts";

const getOwners = (userId: number): number[] => (userId > 0 ? [userId] : []);

/** RPCs over the usage log; users read their own rows, admins all. */
export const logHandlers = (deps: {
  list: LogReader;
  stat: LogStatistics;
  rollups: RollupReader;
  cleaner: LogCleaner;
  audit: RecordAudit;
  nowSeconds: () => number;
}): Handlers<LogServiceServer> => ({
  async listLogs(request, context) {
    const filter = request.filter ?? ANY_LOG;
    allowOwner(context, getOwners(filter.userId));
    const { items, total } = await deps.list(filter, toPageRange(request, 1, Number.MAX_SAFE_INTEGER));
    return { items: items.map(filter.userId > 0 ? toLogRow : toLogRowWithCost), total };
  },
  async getLogStat(request, context) {
    const filter = request.filter ?? ANY_LOG;
    allowOwner(context, getOwners(filter.userId));
    return deps.stat(filter);
  },
  async listRollups(request, context) {
    allowOwner(context, getOwners(request.userId));
    return { items: await deps.rollups(request) };
  },
  async deleteLogs({ beforeSeconds }, context) {
    const actor = requireAdmin(context);
    if (beforeSeconds <= 0) throw new AppError("log_time_required", "no time");
    // Current rows are still being written; "before" must not lie in the future.
    const before = Math.min(beforeSeconds, deps.nowSeconds() + 1);
    const deleted = await deps.cleaner.delete(before);
    await deps.audit(actor, { action: "log.delete", target: "logs", after: { before_seconds: before, deleted } });
    return { deleted };
  },
});
