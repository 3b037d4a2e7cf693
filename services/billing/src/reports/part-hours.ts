import { addSteps } from "@turnpike/contract/latency-scale";
import type {
  ListPartHoursRequest,
  ListPartHoursResponse,
  PartHealth,
  PartLatency,
} from "@turnpike/proto/billing/v1/report_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { getHour } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import type { PartHealthDoc } from "../store/report-documents.ts";

export type ListPartHours = ReturnType<typeof createPartHours>;

const HOUR_SECONDS = 3_600;
const HOURS_MAX = 7 * 24;
const KEYS_MAX = 5_000;
const TIMEOUT_MS = 5_000;

const isPart = (by: string): by is PartHealthDoc["by"] => by === "model" || by === "channel";

type Latency = { totalSteps: Record<number, number>; firstTokenSteps: Record<number, number> };
const noLatency = (): Latency => ({ totalSteps: {}, firstTokenSteps: {} });

function addLatency(into: Latency, { total, firstToken }: PartHealthDoc): void {
  addSteps(into.totalSteps, total ?? {});
  addSteps(into.firstTokenSteps, firstToken ?? {});
}

function toPart(key: string, docs: readonly PartHealthDoc[], recentFrom: number): PartHealth {
  const [all, recent]: [Latency, Latency] = [noLatency(), noLatency()];
  for (const doc of docs) {
    addLatency(all, doc);
    if (doc.hour >= recentFrom) addLatency(recent, doc);
  }
  const toHour = ({ hour, count, errors, totalMs }: PartHealthDoc): PartHealth["hours"][number] => {
    return { hour, count, errorCount: errors, totalMs };
  };
  const toLatency = (latency: Latency): PartLatency => latency;
  return { key, hours: docs.map(toHour), all: toLatency(all), recent: toLatency(recent) };
}

/** The hours of models or channels up to now. Throws range_too_long, and invalid_input for another part or too many keys. */
export function createPartHours(
  { partHealth }: Pick<Collections, "partHealth">,
  nowSeconds: () => number = () => Math.floor(Date.now() / 1_000),
) {
  return async function listPartHours({ by, hours, keys }: ListPartHoursRequest): Promise<ListPartHoursResponse> {
    if (!isPart(by)) throw new AppError("invalid_input", "hours of an unknown part", { params: { detail: "by" } });
    if (hours < 1 || keys.length > KEYS_MAX)
      throw new AppError("invalid_input", "no hours, or too many keys", { params: { detail: "hours, keys" } });
    if (hours > HOURS_MAX)
      throw new AppError("range_too_long", "the range is too long", { params: { days: String(HOURS_MAX / 24) } });
    const lastHour = getHour(nowSeconds());
    const firstHour = lastHour - (hours - 1) * HOUR_SECONDS;
    const filter = {
      by,
      hour: { $gte: firstHour, $lte: lastHour },
      ...(keys.length > 0 ? { key: { $in: keys } } : {}),
    };
    const docs = await partHealth.find(filter, { maxTimeMS: TIMEOUT_MS }).sort({ hour: 1, key: 1 }).toArray();
    const recentFrom = lastHour - HOUR_SECONDS;
    const byKey = Map.groupBy(docs, ({ key }) => key);
    return { firstHour, lastHour, parts: [...byKey].map(([key, found]) => toPart(key, found, recentFrom)) };
  };
}
