import type { ProviderReportServiceServer, ReportDay } from "@turnpike/proto/billing/v1/provider_report_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ProviderReportDoc } from "../store/provider-report-document.ts";
import { getDayStart } from "../store/calendar.ts";
import type { ReportCheck } from "./report-check.ts";
import type { ReportStore } from "./report-store.ts";

const DAYS_MAX = 60;

const toReportDay = ({ differences, ...doc }: ProviderReportDoc): ReportDay => ({
  day: doc.day,
  checkedAtSeconds: Math.floor(doc.checkedAtMs / 1000),
  problem: doc.problem,
  calls: doc.calls,
  estimatedCalls: doc.estimatedCalls,
  tokens: doc.tokens,
  reportedTokens: doc.reportedTokens,
  cost: doc.cost ?? undefined,
  reportedCost: doc.reportedCost,
  differences: differences.map(({ counted_as: countedAs, cost, ...difference }) => ({
    ...difference,
    countedAs,
    cost: cost ?? undefined,
  })),
});

/** The rpcs over compared reports, for administrators. */
export const providerReportHandlers = (deps: {
  store: Pick<ReportStore, "list">;
  check: ReportCheck["check"];
  nowSeconds: () => number;
}): Handlers<ProviderReportServiceServer> => ({
  async listReportDays({ channelIds }, context) {
    requireAdmin(context);
    return { days: (await deps.store.list(channelIds, DAYS_MAX)).map(toReportDay) };
  },
  async checkReportDay({ channelId, daySeconds }, context) {
    requireAdmin(context);
    const day = getDayStart(daySeconds);
    if (day > deps.nowSeconds())
      throw new AppError("invalid_input", "the day has not begun", { params: { detail: "day" } });
    return { day: toReportDay(await deps.check(channelId, day, context.requestId)) };
  },
});
