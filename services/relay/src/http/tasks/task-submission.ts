import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { checkGroup } from "../../admission/call-group.ts";
import { hideUpstreamError } from "../../pipeline/settle/attempt-outcome.ts";
import { checkTaskText } from "../../content-policy/content-policy.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { textOfFields } from "../../accounting/tokens/token-estimate.ts";
import { chooseNext } from "../../routing/failover.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import { accountOf, accountOfOrigin, findTaskTiers } from "./task-accounts.ts";
import { type Attempt, attemptTask } from "./task-attempt.ts";
import type { TaskCall } from "./task-call.ts";
import type { OpenTaskMeter, TaskMeter } from "./task-meter.ts";
import type { TaskObserver } from "./task-observer.ts";
import type { SubmitResponse } from "./task-platform.ts";
import type { TaskRecords } from "./task-records.ts";

type Deps = {
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly client: UpstreamClient;
  readonly openMeter: OpenTaskMeter;
  readonly observer: TaskObserver;
  readonly records: TaskRecords;
  readonly hash: (key: string) => string;
  readonly seal: (key: string) => string;
  /** From here on a task is open and must be polled. */
  readonly opened: () => void;
  readonly now: () => number;
};

/** Body fields that contain the prompt. */
const WORDS = ["prompt", "gpt_description_prompt", "title", "tags", "negative_tags"];

export type SubmitTask = ReturnType<typeof createSubmitTask>;

const toTask = (call: TaskCall, quota: number, account: Task["account"]): Task =>
  Task.fromPartial({
    requestId: call.requestId,
    platform: call.platform.name,
    action: call.action,
    userId: call.admitted.caller.known.token.userId,
    username: call.admitted.caller.principal.username,
    tokenId: call.admitted.caller.known.token.id,
    group: call.group,
    modelName: call.model,
    quota,
    prompt: call.prompt,
    customId: call.customId,
    botType: call.botType,
    clientState: call.clientState,
    ...(account ? { account } : {}),
  });

type Accepted = Extract<SubmitResponse, { outcome: "accepted" }>;
type Refused = Extract<SubmitResponse, { outcome: "refused" }>;

function toRefusalError(answer: Refused | undefined): RelayError {
  const { message = "", code } = answer ?? {};
  const text = message === "" ? "upstream refused the task" : message;
  return new RelayError("upstream_error", text, {
    upstream: { message: text, type: "upstream_error", code, param: undefined },
  });
}

/**
 * Submits a task: choose a channel, place the hold, record the task, send, charge once upstream accepted it, record the
 * response. Failover happens only if no upstream can have accepted it. Returns the body for the caller; throws
 * RelayError, with nothing charged, if there is none.
 */
export function createSubmitTask(deps: Deps) {
  const { records, observer } = deps;

  const sendAttempt = async (call: TaskCall, choice: Choice): Promise<Attempt> => {
    observer.started(choice);
    let attempt: Attempt;
    try {
      attempt = await attemptTask(deps, call, choice);
    } catch (error) {
      observer.abandoned(choice);
      throw error;
    }
    if (attempt.outcome === "failed") observer.failed(choice, attempt.error);
    else {
      observer.answered(choice);
      if (attempt.answer.outcome === "refused" && attempt.answer.isUnusable)
        observer.reportUnusable(choice, attempt.answer.message);
    }
    return attempt;
  };
  const canFailOver = (attempt: Attempt): boolean =>
    attempt.outcome === "failed"
      ? attempt.canFailOver
      : attempt.answer.outcome === "refused" && attempt.answer.canFailOver;

  const send = async (call: TaskCall, first: Choice, next: () => Choice | undefined): Promise<Attempt> => {
    for (let choice = first; ;) {
      const attempt = await sendAttempt(call, choice);
      const other = canFailOver(attempt) ? next() : undefined;
      if (!other) return attempt;
      choice = other;
    }
  };
  const chooseAccount = (call: TaskCall): { first: Choice; next: () => Choice | undefined } => {
    const table = deps.table();
    const { known } = call.admitted.caller;
    if (call.origin) {
      if (!known.allowsModel(call.model))
        throw new RelayError("model_not_allowed", `this token may not use the model ${call.model}`, { param: "model" });
      const first = accountOfOrigin(call.origin, table, deps.hash);
      call.tried.push(first);
      return { first, next: () => undefined };
    }
    const tiers = findTaskTiers(call, table);
    const next = (): Choice | undefined => chooseNext(deps, call, tiers);
    const first = next();
    if (first) return { first, next };
    throw new RelayError("no_available_channel", `no channel serves the model ${call.model} right now`);
  };
  /** Closes the task's record as failed, with nothing charged. */
  const fail = (id: number, reason: string, code: number): Promise<void> =>
    records.confirm({
      id,
      upstreamId: "",
      quota: 0,
      account: undefined,
      state: TaskState.fromPartial({ status: "FAILURE", failReason: reason, code }),
    });
  /** What the caller receives if no upstream accepted the task: upstream's own error if it has a format for that. */
  const refuse = async (id: number, attempt: Attempt, meter: TaskMeter): Promise<Buffer> => {
    meter.release();
    const answer = attempt.outcome === "answered" && attempt.answer.outcome === "refused" ? attempt.answer : undefined;
    const error = attempt.outcome === "failed" ? attempt.error : toRefusalError(answer);
    await fail(id, error.message, Number(error.upstream?.code) || 0);
    if (answer?.body && !deps.options().flag("global.hide_upstream_error_enabled")) return answer.body;
    throw hideUpstreamError(error, deps.options());
  };
  const accept = async (call: TaskCall, id: number, answer: Accepted, meter: TaskMeter): Promise<void> => {
    const last = call.tried.at(-1);
    await meter.charge(answer.upstreamId);
    await records.confirm({
      id,
      upstreamId: answer.upstreamId,
      quota: meter.quota,
      account: last && accountOf(last, deps),
      state: answer.state,
    });
    deps.opened();
  };
  const openRecord = async (call: TaskCall, choice: Choice, meter: TaskMeter): Promise<number> => {
    try {
      return await records.open(toTask(call, meter.quota, accountOf(choice, deps)));
    } catch (error) {
      meter.release();
      throw error;
    }
  };
  return async function submitTask(call: TaskCall): Promise<string | Buffer> {
    checkGroup(call.admitted, deps.options());
    await checkTaskText(textOfFields(call.body, WORDS).text, call.group, deps.options());
    const { first, next } = chooseAccount(call);
    const meter = await deps.openMeter(call);
    const id = await openRecord(call, first, meter);
    const attempt = await send(call, first, next);
    const accepted = attempt.outcome === "answered" && attempt.answer.outcome === "accepted";
    if (!accepted) return refuse(id, attempt, meter);
    await accept(call, id, attempt.answer, meter);
    return attempt.answer.body;
  };
}
