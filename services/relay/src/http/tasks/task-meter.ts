import { type OptionsInForce, priceTablesOf } from "@turnpike/contract/options/options-in-force";
import { groupRatioOf } from "@turnpike/contract/pricing/price-book";
import { computeQuota, NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { AccountClient, HoldRequest } from "../../accounting/holds/account-client.ts";
import { NO_FIRST_BYTE, getRecordFields, recoveryJson, triedChannels } from "../../accounting/usage/call-fields.ts";
import { limitsOf } from "../../accounting/holds/limits.ts";
import type { PlaceHold } from "../../accounting/holds/hold-placement.ts";
import type { UsagePublisher } from "../../accounting/usage/usage-publisher.ts";
import { type TaskPrice, getTaskPrice } from "./task-price.ts";
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
 * Exactly one of `charge` and `release` is called.
 */
export type TaskMeter = {
  readonly quota: number;
  /** Resolves once the charge was sent to Redis. */
  readonly charge: (upstreamId: string) => Promise<void>;
  readonly release: () => void;
};

function toUsageRecord(
  call: TaskCall,
  about: { quota: number; price: TaskPrice; groupRatio: number; upstreamId: string; nowMs: number },
): UsageRecord {
  const { quota, price, groupRatio, upstreamId, nowMs } = about;
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
    content: `操作 ${call.action}，任务 ${upstreamId}`,
    other: JSON.stringify(other),
  };
}

/** The data with which billing posts a submission whose relay died; the task it opened is then failed and refunded. */
const getTaskFacts = (call: TaskCall, quota: number): string =>
  recoveryJson(call, { promptQuota: quota, promptTokens: 0, completionTokens: 0 });

/** Creates meters of tasks: priced per unit, held in full; throws if the hold is refused. */
export function createTaskMeters(deps: Deps) {
  const settle = (
    call: TaskCall,
    request: HoldRequest,
    about: { amount: number; keep: boolean; hasSucceeded: boolean; done: () => void },
  ): Promise<void> | undefined =>
    deps.accounts.settle({
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
          deps.log.warn({ err: result, requestId: call.requestId }, "task settlement in Redis failed");
        about.done();
      },
    });
  return async function openTaskMeter(call: TaskCall): Promise<TaskMeter> {
    const options = deps.options();
    if (!deps.publisher.hasRoom())
      throw new RelayError("service_unavailable", "usage cannot be recorded right now", { retryAfterSeconds: 5 });
    const tables = priceTablesOf(options);
    const { known, principal } = call.admitted.caller;
    const price = getTaskPrice(tables, call.model);
    const groupRatio = groupRatioOf(tables, call.group, principal.group);
    const quota = call.isFree ? 0 : computeQuota(price.price, groupRatio, tables.quotaPerUnit, NO_USAGE);
    const request: HoldRequest = {
      requestId: call.requestId,
      userId: known.token.userId,
      tokenId: known.token.unlimitedQuota ? 0 : known.token.id,
      amount: quota,
      least: quota,
      limits: limitsOf(call, options, 0),
      json: () => getTaskFacts(call, quota),
    };
    const isInRedis = await deps.placeHold(request);
    const drop = (hasSucceeded: boolean): void => {
      if (isInRedis) void settle(call, request, { amount: 0, keep: false, hasSucceeded, done: () => undefined });
    };
    return {
      quota,
      async charge(upstreamId) {
        // A free submission leaves no log row.
        if (quota === 0) return drop(true);
        const record = toUsageRecord(call, { quota, price, groupRatio, upstreamId, nowMs: deps.now() });
        const publish = (): void => deps.publisher.add(record);
        const kept = { amount: quota, keep: true, hasSucceeded: true, done: publish };
        if (isInRedis) await settle(call, request, kept);
        else publish();
      },
      release: () => drop(false),
    };
  };
}
export type OpenTaskMeter = ReturnType<typeof createTaskMeters>;
