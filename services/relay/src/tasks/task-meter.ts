import { type OptionsInForce, priceTablesOf } from "@turnpike/contract/options/options-in-force";
import { groupRatioOf } from "@turnpike/contract/pricing/price-book";
import { computeQuota, NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import { RelayError } from "../errors/relay-error.ts";
import type { AccountClient, HoldRequest } from "../metering/account-client.ts";
import { limitsOf } from "../metering/limits.ts";
import type { PlaceHold } from "../metering/place-hold.ts";
import type { UsagePublisher } from "../metering/usage-publisher.ts";
import { type TaskPrice, taskPriceOf } from "./task-price.ts";
import type { TaskCall } from "./task-call.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly accounts: AccountClient;
  readonly placeHold: PlaceHold;
  readonly publisher: UsagePublisher;
  readonly now: () => number;
  readonly log: Logger;
};

/** A submission's money: held before it is sent, charged when upstream took it. One of `charge` and `release` is called. */
export type TaskMeter = {
  readonly quota: number;
  /** Resolves once the charge is on its way to Redis. */
  readonly charge: (upstreamId: string) => Promise<void>;
  readonly release: () => void;
};

/** First-token time in ms where nothing was streamed, as log readers of this family know it. */
const NO_FIRST_BYTE = -1000;

function recordOf(
  call: TaskCall,
  about: { quota: number; price: TaskPrice; groupRatio: number; upstreamId: string; nowMs: number },
): UsageRecord {
  const { quota, price, groupRatio, upstreamId, nowMs } = about;
  const { known, principal } = call.admitted.caller;
  const channel = call.tried.at(-1)?.channel;
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
    admin_info: { use_channel: call.tried.map(({ channel: { id } }) => String(id)) },
  };
  return {
    requestId: call.requestId,
    type: 2,
    createdAtSeconds: Math.floor(nowMs / 1000),
    userId: known.token.userId,
    username: principal.username,
    tokenId: known.token.id,
    tokenName: known.token.name,
    modelName: call.model,
    channelId: channel?.id ?? 0,
    channelName: channel?.name ?? "",
    group: call.group,
    isStream: false,
    useTimeSeconds: Math.round((nowMs - call.startedAtMs) / 1000),
    promptTokens: 0,
    completionTokens: 0,
    quota,
    content: `操作 ${call.action}，任务 ${upstreamId}`,
    clientIp: principal.showIpInLogs ? call.address : "",
    other: JSON.stringify(other),
  };
}

/** By what billing books a submission whose relay died; the task it opened is then failed and refunded. */
function recoveryJson(call: TaskCall, quota: number): string {
  const { known, principal } = call.admitted.caller;
  const channel = call.tried.at(-1)?.channel;
  return JSON.stringify({
    u: principal.username,
    i: known.token.id,
    t: known.token.name,
    m: call.model,
    c: channel?.id ?? 0,
    cn: channel?.name ?? "",
    g: call.group,
    s: 0,
    p: 0,
    o: 0,
    q: quota,
    at: Math.floor(call.startedAtMs / 1000),
  });
}

/** Opens meters of tasks: price by the piece, held in full; throws what refuses the hold. */
export function createTaskMeters(deps: Deps) {
  const settle = (
    call: TaskCall,
    request: HoldRequest,
    about: { amount: number; keep: boolean; hasSucceeded: boolean; done: () => void },
  ): Promise<void> =>
    deps.accounts.settle({
      requestId: request.requestId,
      userId: request.userId,
      tokenId: request.tokenId,
      limits: request.limits,
      amount: about.amount,
      keep: about.keep,
      json: about.keep ? recoveryJson(call, about.amount) : "",
      hasSucceeded: about.hasSucceeded,
      usedTokens: 0,
      done: (result) => {
        if (result instanceof Error)
          deps.log.warn({ err: result, requestId: call.requestId }, "a task could not be settled in Redis");
        about.done();
      },
    });
  return async function openTaskMeter(call: TaskCall): Promise<TaskMeter> {
    const options = deps.options();
    if (!deps.publisher.hasRoom())
      throw new RelayError("service_unavailable", "usage cannot be recorded right now", { retryAfterSeconds: 5 });
    const tables = priceTablesOf(options);
    const { known, principal } = call.admitted.caller;
    const price = taskPriceOf(tables, call.model);
    const groupRatio = groupRatioOf(tables, call.group, principal.group);
    const quota = call.isFree ? 0 : computeQuota(price.price, groupRatio, tables.quotaPerUnit, NO_USAGE);
    const request: HoldRequest = {
      requestId: call.requestId,
      userId: known.token.userId,
      tokenId: known.token.unlimitedQuota ? 0 : known.token.id,
      amount: quota,
      least: quota,
      limits: limitsOf(call, options, 0),
      json: recoveryJson(call, quota),
    };
    const isInRedis = await deps.placeHold(request);
    const drop = (hasSucceeded: boolean): void => {
      if (isInRedis) void settle(call, request, { amount: 0, keep: false, hasSucceeded, done: () => undefined });
    };
    return {
      quota,
      async charge(upstreamId) {
        // What costs nothing leaves no row.
        if (quota === 0) return drop(true);
        const record = recordOf(call, { quota, price, groupRatio, upstreamId, nowMs: deps.now() });
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
