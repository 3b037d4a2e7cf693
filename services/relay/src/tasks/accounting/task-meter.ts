import { type OptionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { formatDollars, toQuota } from "@turnpike/contract/pricing/dollars";
import { computeQuota, NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import { MAX_CHARGE } from "../../core/call/charge-headers.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { AccountClient } from "../../accounting/holds/account-client.ts";
import { getGroupRatio } from "../../accounting/holds/meters/call-price.ts";
import type { HoldRequest } from "../../accounting/holds/account-requests.ts";
import { NO_FIRST_BYTE, getRecordFields, recoveryJson, triedChannels } from "../../accounting/usage/log-row-fields.ts";
import { type CallCost, getPerCallCost } from "../../accounting/usage/call-cost.ts";
import { getLimits } from "../../accounting/holds/limits/limits.ts";
import type { PlaceHold } from "../../accounting/holds/hold-placement.ts";
import type { UsagePublisher } from "../../accounting/usage/usage-publisher.ts";
import { type TaskPrice, getTaskPrice } from "@turnpike/contract/pricing/task-price";
import type { TaskCall } from "./task-call.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly accounts: AccountClient;
  readonly placeHold: PlaceHold;
  readonly publisher: UsagePublisher;
  readonly now: () => number;
  readonly log: Logger;
};

/**
 * The hold and charge of a submission: the hold is placed before it is sent, and charged when upstream accepted it.
 * `charge` or `release` is called; a release after a charge does nothing.
 */
export type TaskMeter = {
  readonly quota: number;
  /** Resolves once the charge was sent to Redis. */
  readonly charge: (upstreamId: string) => Promise<void>;
  readonly release: () => void;
};

function toUsageRecord(
  call: TaskCall,
  about: {
    quota: number;
    price: TaskPrice;
    groupRatio: number;
    cost: CallCost;
    upstreamId: string;
    nowMs: number;
  },
): UsageRecord {
  const { quota, price, groupRatio, cost, upstreamId, nowMs } = about;
  const other = {
    model_ratio: 0,
    completion_ratio: 0,
    model_price: price.modelPrice,
    group_ratio: groupRatio,
    price_rule: price.rule,
    task_platform: call.platform.name,
    task_action: call.action,
    task_id: upstreamId,
    frt: NO_FIRST_BYTE,
    use_time_ms: nowMs - call.startedAtMs,
    admin_info: triedChannels(call),
  };
  return {
    ...getRecordFields(call, nowMs),
    type: 2,
    promptTokens: 0,
    completionTokens: 0,
    quota,
    ...cost,
    content: `操作 ${call.action}，任务 ${upstreamId}`,
    other: JSON.stringify(other),
  };
}

/** The data with which billing posts a submission whose relay died; the task it opened is then failed and refunded. */
const getTaskFacts = (call: TaskCall, quota: number): string =>
  recoveryJson(call, { promptQuota: quota, promptTokens: 0, completionTokens: 0 });

/** Settles submissions in Redis. */
const createTaskSettle =
  ({ accounts, log }: Pick<Deps, "accounts" | "log">) =>
  (
    call: TaskCall,
    request: HoldRequest,
    about: { amount: number; keep: boolean; hasSucceeded: boolean; done: () => void },
  ): Promise<void> | undefined =>
    accounts.settle({
      requestId: request.requestId,
      userId: request.userId,
      tokenId: request.tokenId,
      limits: request.limits,
      amount: about.amount,
      keep: about.keep,
      json: about.keep ? getTaskFacts(call, about.amount) : "",
      hasSucceeded: about.hasSucceeded,
      usedTokens: 0,
      done: (result) => {
        if (result instanceof Error)
          log.warn({ err: result, requestId: call.requestId }, "task settlement in Redis failed");
        about.done();
      },
    });

/** Throws max_cost_exceeded if a task costs more than its caller's ceiling. */
function checkCeiling({ maxDollars }: TaskCall, quota: number, quotaPerUnit: number): void {
  if (maxDollars === undefined || quota <= toQuota(maxDollars, quotaPerUnit)) return;
  const problem = `the task costs ${formatDollars(quota, quotaPerUnit)} dollars, more than the ceiling`;
  throw new RelayError("max_cost_exceeded", `${MAX_CHARGE}: ${problem}`, { param: MAX_CHARGE });
}

/** Creates meters of tasks: priced per unit, held in full; throws if the hold is refused. */
export function createTaskMeters(deps: Deps) {
  const settle = createTaskSettle(deps);
  return async function openTaskMeter(call: TaskCall): Promise<TaskMeter> {
    const options = deps.options();
    if (!deps.publisher.hasRoom())
      throw new RelayError("service_unavailable", "usage cannot be recorded right now", { retryAfterSeconds: 5 });
    const tables = toPriceTables(options);
    const { known } = call.admitted.caller;
    const price = getTaskPrice(tables, call.model);
    const groupRatio = getGroupRatio(call, tables);
    const quota = call.isFree ? 0 : computeQuota(price.price, groupRatio, tables.quotaPerUnit, NO_USAGE);
    checkCeiling(call, quota, tables.quotaPerUnit);
    const request: HoldRequest = {
      requestId: call.requestId,
      userId: known.token.userId,
      tokenId: known.token.unlimitedQuota ? 0 : known.token.id,
      amount: quota,
      least: quota,
      limits: getLimits(call, options, 0),
      json: () => getTaskFacts(call, quota),
    };
    const isInRedis = await deps.placeHold(request);
    let isEnded = false;
    const drop = (hasSucceeded: boolean): void => {
      if (isEnded) return;
      isEnded = true;
      if (isInRedis) void settle(call, request, { amount: 0, keep: false, hasSucceeded, done: () => undefined });
    };
    return {
      quota,
      async charge(upstreamId) {
        const cost = getPerCallCost(call, tables);
        // A free submission leaves no log row, unless it costs the operator something.
        if (quota === 0 && (call.isFree || (cost.cost ?? 0) === 0)) return drop(true);
        const record = toUsageRecord(call, { quota, price, groupRatio, cost, upstreamId, nowMs: deps.now() });
        const publish = (): void => deps.publisher.add(record);
        const kept = { amount: quota, keep: true, hasSucceeded: true, done: publish };
        isEnded = true;
        if (isInRedis) await settle(call, request, kept);
        else publish();
      },
      release: () => drop(false),
    };
  };
}
export type OpenTaskMeter = ReturnType<typeof createTaskMeters>;
