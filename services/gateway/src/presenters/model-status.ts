import {
  MODEL_STATUS_SECONDS,
  type ModelStatus,
  type ModelStatusList,
  type ModelTimes,
} from "@turnpike/contract/api/models/model-status";
import { percentileMs } from "@turnpike/contract/latency-scale";
import type {
  ListPartHoursResponse,
  PartHealth,
  PartHour,
  PartLatency,
} from "@turnpike/proto/billing/v1/report_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";
import { getGroups, getPrices, isSellable, toCallableModels } from "./billing/pricing.ts";

const HOURS = 24;
const HOUR_SECONDS = 3_600;
const READ_TIMEOUT_MS = 8_000;
const HALF = 0.5;
const LATE = 0.95;
/** Shares of failed recent calls, and how many must fail: one failure of a model with few calls proves little. */
const DEGRADED_FROM = 0.05;
const FAILING_FROM = 0.5;
const FAILURES_MIN = 3;
/** The group whose models visitors see. */
const VISITOR_GROUP = "default";

type Sums = { readonly count: number; readonly errors: number };
const sumHours = (hours: readonly PartHour[]): Sums => ({
  count: hours.reduce((sum, { count }) => sum + count, 0),
  errors: hours.reduce((sum, { errorCount }) => sum + errorCount, 0),
});
const getErrorShare = ({ count, errors }: Sums): number | null =>
  count + errors === 0 ? null : errors / (count + errors);

const toMs = (steps: Readonly<Record<number, number>> | undefined, share: number): number | null => {
  const ms = percentileMs(steps ?? {}, share);
  return ms === undefined ? null : Math.round(ms);
};

const toTimes = (sums: Sums, latency: PartLatency | undefined, errorsLogged: boolean): ModelTimes => ({
  error_share: errorsLogged ? getErrorShare(sums) : null,
  p50_ms: toMs(latency?.totalSteps, HALF),
  p95_ms: toMs(latency?.totalSteps, LATE),
  first_token_p50_ms: toMs(latency?.firstTokenSteps, HALF),
  first_token_p95_ms: toMs(latency?.firstTokenSteps, LATE),
});

function getState(isAvailable: boolean, recent: Sums): ModelStatus["state"] {
  if (!isAvailable) return "unavailable";
  const share = getErrorShare(recent) ?? 0;
  if (recent.errors < FAILURES_MIN || share < DEGRADED_FROM) return "available";
  return share < FAILING_FROM ? "degraded" : "failing";
}

type Model = { readonly name: string; readonly isAvailable: boolean };
type Period = { readonly firstHour: number; readonly recentFrom: number; readonly errorsLogged: boolean };

/** The status of one model, of its hours with calls. */
export function toModelStatus({ name, isAvailable }: Model, part: PartHealth | undefined, period: Period): ModelStatus {
  const { firstHour, recentFrom, errorsLogged } = period;
  // Failures from a time when they were logged do not show the present state.
  const hours = (part?.hours ?? []).map((hour) => (errorsLogged ? hour : { ...hour, errorCount: 0 }));
  const recent = sumHours(hours.filter(({ hour }) => hour >= recentFrom));
  const byHour = new Map(hours.map((hour) => [hour.hour, sumHours([hour])]));
  const getHourShare = (hour: number): number | null => getErrorShare(byHour.get(hour) ?? { count: 0, errors: 0 });
  return {
    model_name: name,
    state: getState(isAvailable, recent),
    hours: Array.from({ length: HOURS }, (_, index) => getHourShare(firstHour + index * HOUR_SECONDS)),
    recent: toTimes(recent, part?.recent, errorsLogged),
    day: toTimes(sumHours(hours), part?.all, errorsLogged),
  };
}

/** The models that a group can call now, and those of its models that no channel serves or that have no price. */
async function listModels(
  services: Pick<Services, "channels" | "prices">,
  userGroup: string | undefined,
  call: CallOptions,
): Promise<readonly Model[]> {
  const usable =
    userGroup === undefined ? [VISITOR_GROUP] : (await getGroups(services, userGroup, call)).map(({ group }) => group);
  const found = await services.channels.listAbilities({}, call);
  const groups = new Set(usable);
  const callable = toCallableModels(found, groups);
  const unavailable = found.unavailable.filter(({ group }) => groups.has(group));
  // A model that another group of the caller serves is available.
  const served = new Set(
    found.abilities
      .filter(({ group }) => groups.has(group))
      .flatMap(({ group, models }) => {
        const down = new Set(unavailable.find((one) => one.group === group)?.models);
        return models.filter((model) => !down.has(model));
      }),
  );
  const priced = new Set(
    (await getPrices(services, callable, call)).filter(isSellable).map(({ modelName }) => modelName),
  );
  const names = new Set([...callable.groups.keys(), ...unavailable.flatMap(({ models }) => models)]);
  return [...names]
    .sort((a, b) => a.localeCompare(b, "en"))
    .map((name) => ({ name, isAvailable: served.has(name) && priced.has(name) }));
}

type Sources = "channels" | "prices" | "reports";

/**
 * Reads the status of the models of a user's group; undefined is a visitor, who sees the models of the group `default`. Every caller may
 * request it, so that what was read is kept for some seconds: the hours for all, the models for each group.
 */
export function createModelStatusReader(services: Pick<Services, Sources>, nowMs: () => number = Date.now) {
  const readOnce = createCache(nowMs);
  const readHours = ({ requestId }: CallOptions): Promise<ListPartHoursResponse> =>
    readOnce("hours", () =>
      services.reports.listPartHours(
        { by: "model", hours: HOURS, keys: [] },
        { requestId, timeoutMs: READ_TIMEOUT_MS },
      ),
    );
  const read = async (
    userGroup: string | undefined,
    call: CallOptions,
    errorsLogged: boolean,
  ): Promise<ModelStatusList> => {
    const [models, found] = await Promise.all([listModels(services, userGroup, call), readHours(call)]);
    const period = { firstHour: found.firstHour, recentFrom: found.lastHour - HOUR_SECONDS, errorsLogged };
    const parts = new Map(found.parts.map((part) => [part.key, part]));
    return {
      updated_at: Math.floor(nowMs() / 1_000),
      first_hour: period.firstHour,
      recent_from: period.recentFrom,
      errors_logged: errorsLogged,
      models: models.map((model) => toModelStatus(model, parts.get(model.name), period)),
    };
  };
  return function readModelStatus(
    userGroup: string | undefined,
    { requestId }: Pick<CallOptions, "requestId">,
    errorsLogged: boolean,
  ): Promise<ModelStatusList> {
    const key = userGroup === undefined ? `visitor ${errorsLogged}` : `group ${errorsLogged} ${userGroup}`;
    return readOnce(key, () => read(userGroup, { requestId }, errorsLogged));
  };
}

/** Keeps what was read for some seconds; a failure is not kept. */
function createCache(nowMs: () => number) {
  const entries = new Map<string, { readonly untilMs: number; readonly value: Promise<unknown> }>();
  return function readOnce<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const kept = entries.get(key);
    if (kept && nowMs() < kept.untilMs) return kept.value as Promise<Value>;
    for (const [other, { untilMs }] of entries) if (nowMs() >= untilMs) entries.delete(other);
    const value = read();
    const entry = { untilMs: nowMs() + MODEL_STATUS_SECONDS * 1_000, value };
    entries.set(key, entry);
    value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return value;
  };
}
