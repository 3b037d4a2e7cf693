import type { ChannelReportServiceServer } from "@turnpike/proto/channel/v1/channel_report_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { providerReportsFound } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import { reportDays, reportsCheckedAt } from "../store/metrics.ts";
import type { ProviderReportDoc } from "../store/provider-report-document.ts";
import { DAY_SECONDS, getDayStart } from "../store/calendar.ts";
import type { ReportCheck } from "./report-check.ts";
import { getReportState, REPORT_STATES, sumDifferences } from "./report-state.ts";
import type { ReportStore } from "./report-store.ts";

/** Providers complete the report of a day some hours after its end, and correct it in the days after. */
const READY_SECONDS = 3 * 3_600;
const DAYS = 3;
const LIST_TIMEOUT_MS = 5_000;
/** A run ends here; the next one goes on with what is due. */
const RUN_MS = 480_000;
/** How many days the metric covers. */
const METRIC_DAYS = 7;
/** A notice names this many days; the pages of the channels show all. */
const NAMED_MAX = 20;
const NANO_PER_CENT = 10_000_000;

/** Whether a day is to be compared now: never compared, failed and due again, or not compared since the last night. */
function isDue(doc: ProviderReportDoc | undefined, nowMs: number): boolean {
  if (!doc) return true;
  if (doc.problem !== "") return doc.nextTryAtMs <= nowMs;
  const lastNight = getDayStart(Math.floor(nowMs / 1000) - READY_SECONDS) + READY_SECONDS;
  return doc.checkedAtMs < lastNight * 1000;
}

/** The days that are complete and may still change, newest first. */
function listDays(nowMs: number): readonly number[] {
  const today = getDayStart(Math.floor(nowMs / 1000) - READY_SECONDS);
  return Array.from({ length: DAYS }, (_, index) => today - (index + 1) * DAY_SECONDS);
}

/** A day that newly differs or fails. The difference is in cents. */
type Finding = { channelId: number; day: number; state: string; differenceCents: number; problem: string };

/** What is new about a day; undefined when nothing is. */
function toFinding(before: ProviderReportDoc | undefined, after: ProviderReportDoc): Finding | undefined {
  const state = getReportState(after);
  if (state === "equal" || state === getReportState(before)) return undefined;
  const { channelId, day, problem } = after;
  return { channelId, day, state, differenceCents: Math.round(sumDifferences(after) / NANO_PER_CENT), problem };
}

/**
 * The nightly comparison of every account with a report key. A failed day is tried again with growing pauses. What newly
 * differs or keeps failing is published once; metrics count the days of the last week.
 */
export function createReportJob(deps: {
  store: Pick<ReportStore, "read" | "listSince">;
  check: ReportCheck["check"];
  channels: Pick<GrpcClient<ChannelReportServiceServer>, "listReportChannels">;
  bus: Pick<Bus, "notify">;
  nowMs: () => number;
  log: Logger;
}) {
  const { store, check, channels, bus, nowMs, log } = deps;
  let isStopped = false;

  const checkDay = async (channelId: number, day: number): Promise<Finding | undefined> => {
    const before = await store.read(channelId, day);
    if (!isDue(before, nowMs())) return undefined;
    try {
      return toFinding(before, await check(channelId, day));
    } catch (error) {
      log.warn({ err: error, channelId, day }, "provider report not compared, will be tried again");
      const after = await store.read(channelId, day);
      return after && toFinding(before, after);
    }
  };
  const checkAll = async (): Promise<readonly Finding[]> => {
    const until = nowMs() + RUN_MS;
    const { ids } = await channels.listReportChannels({}, { timeoutMs: LIST_TIMEOUT_MS });
    const found: Finding[] = [];
    for (const channelId of ids)
      for (const day of listDays(nowMs())) {
        if (isStopped || nowMs() >= until) return found;
        const finding = await checkDay(channelId, day);
        if (finding) found.push(finding);
      }
    return found;
  };
  const exportStates = async (): Promise<void> => {
    const nowSeconds = Math.floor(nowMs() / 1000);
    const states = (await store.listSince(getDayStart(nowSeconds) - METRIC_DAYS * DAY_SECONDS)).map(getReportState);
    for (const state of REPORT_STATES) reportDays.set({ state }, states.filter((one) => one === state).length);
    reportsCheckedAt.set(nowSeconds);
  };
  return {
    async checkDueReports(): Promise<void> {
      const found = await checkAll();
      if (found.length > 0) bus.notify(providerReportsFound, { total: found.length, items: found.slice(0, NAMED_MAX) });
      await exportStates();
    },
    /** Ends a run after the day that it compares. */
    stop(): void {
      isStopped = true;
    },
  };
}
