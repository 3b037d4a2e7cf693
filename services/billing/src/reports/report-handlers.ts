import type { ReportServiceServer } from "@turnpike/proto/billing/v1/report_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowOwner, allowSelf, requireAdmin } from "@turnpike/shared/grpc/caller";
import { ANY_LOG } from "../logs/log-filter.ts";
import type { ScanLogs } from "./log-scan.ts";
import type { ListTokenLogs } from "./token-logs.ts";
import type { SearchLogs } from "./log-search.ts";
import type { ReadMargins } from "./margins.ts";
import type { ListPartHours } from "./part-hours.ts";
import type { ReadOverview } from "./overview.ts";

const getOwners = (userId: number): number[] => (userId > 0 ? [userId] : []);

/** RPCs of reports; users read their own rows, admins all. */
export const reportHandlers = (deps: {
  scan: ScanLogs;
  search: SearchLogs;
  tokenLogs: ListTokenLogs;
  overview: ReadOverview;
  margins: ReadMargins;
  partHours: ListPartHours;
}): Handlers<ReportServiceServer> => ({
  async scanLogs({ filter = ANY_LOG, after, limit }, context) {
    allowOwner(context, getOwners(filter.userId));
    return deps.scan(filter, after, limit);
  },
  async searchLogs({ keyword, userId }, context) {
    allowOwner(context, getOwners(userId));
    return { items: await deps.search(keyword, userId) };
  },
  async listTokenLogs({ key, userId }, context) {
    allowSelf(context, userId);
    return { items: [...(await deps.tokenLogs(key, userId))] };
  },
  async getOverview(request, context) {
    requireAdmin(context);
    return deps.overview(request);
  },
  async getMargins(request, context) {
    requireAdmin(context);
    return deps.margins(request);
  },
  async listPartHours(request, context) {
    // The gateway reads models without an actor, for the status page of all users.
    if (request.by === "model") allowOwner(context, []);
    else requireAdmin(context);
    return deps.partHours(request);
  },
});
