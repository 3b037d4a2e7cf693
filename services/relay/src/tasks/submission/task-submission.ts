import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatDollars } from "@turnpike/contract/pricing/dollars";
import { Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { checkGroup } from "../../admission/call-group.ts";
import type { FailureLog } from "../../pipeline/settle/failure-log.ts";
import { hideUpstreamError } from "../../pipeline/settle/hidden-errors.ts";
import { checkTaskText } from "../../content-policy/content-policy.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { getPriceTables } from "../../accounting/holds/meters/call-price.ts";
import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import { getChargeHeaders } from "../../core/call/charge-headers.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import { getAccount } from "../accounting/task-accounts.ts";
import type { Attempt } from "./task-attempt.ts";
import type { TaskCall } from "../accounting/task-call.ts";
import type { OpenTaskMeter, TaskMeter } from "../accounting/task-meter.ts";
import { chooseTaskAccounts, sendWithFailover, type TaskAccounts } from "./task-failover.ts";
import type { TaskObserver } from "./task-observer.ts";
import type { SubmitResponse } from "../wire/task-platform.ts";
import type { TaskRecords } from "../accounting/task-records.ts";

type Deps = {
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly client: UpstreamClient;
  readonly openMeter: OpenTaskMeter;
  readonly observer: TaskObserver;
  readonly records: TaskRecords;
  readonly failures: FailureLog;
  readonly hash: (key: string) => string;
  readonly seal: (key: string) => string;
  /** From here on a task is open and must be polled. */
  readonly opened: () => void;
  readonly now: () => number;
};

/** Body fields that contain the prompt. */
const WORDS = ["prompt", "gpt_description_prompt", "title", "tags", "negative_tags"];

/** The body for the caller of a task, and the headers that report its charge. */
export type SubmittedTask = { readonly body: string | Buffer; readonly headers: Readonly<Record<string, string>> };
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

function toRefusalError(response: Refused | undefined): RelayError {
  const { message = "", code } = response ?? {};
  const text = message === "" ? "upstream refused the task" : message;
  return new RelayError("upstream_error", text, {
    upstream: { message: text, type: "upstream_error", code, param: undefined },
  });
}

const writeCharge = ({ quota }: TaskMeter, options: OptionsInForce): Readonly<Record<string, string>> =>
  getChargeHeaders(formatDollars(quota, getPriceTables(options).quotaPerUnit), options);

/** Closes the task's record as failed, with nothing charged. */
const failTask = (records: TaskRecords, id: number, reason: string, code: number): Promise<void> =>
  records.confirm({
    id,
    upstreamId: "",
    quota: 0,
    account: undefined,
    state: TaskState.fromPartial({ status: "FAILURE", failReason: reason, code }),
  });

/**
 * Submits a task: choose a channel, place the hold, record the task, send, charge once upstream accepted it, record the
 * response. Failover happens only if no upstream can have accepted it. Returns the response for the caller; throws
 * RelayError, with nothing charged, if there is none.
 */
export function createSubmitTask(deps: Deps) {
  const { records } = deps;

  /** What the caller receives if no upstream accepted the task: upstream's own error if it has a format for that. */
  const refuse = async (id: number, attempt: Attempt, meter: TaskMeter): Promise<SubmittedTask> => {
    meter.release();
    const response =
      attempt.outcome === "responded" && attempt.response.outcome === "refused" ? attempt.response : undefined;
    const error = attempt.outcome === "failed" ? attempt.error : toRefusalError(response);
    await failTask(records, id, error.message, Number(error.upstream?.code) || 0);
    if (response?.body && !deps.options().flag("global.hide_upstream_error_enabled"))
      return { body: response.body, headers: {} };
    throw hideUpstreamError(error, deps.options());
  };
  const accept = async (call: TaskCall, id: number, response: Accepted, meter: TaskMeter): Promise<void> => {
    const last = call.tried.at(-1);
    await meter.charge(response.upstreamId);
    await records.confirm({
      id,
      upstreamId: response.upstreamId,
      quota: meter.quota,
      account: last && getAccount(last, deps),
      state: response.state,
    });
    deps.opened();
  };
  const send = async (call: TaskCall, id: number, choices: TaskAccounts): Promise<Attempt> => {
    try {
      return await sendWithFailover(deps, call, choices);
    } catch (error) {
      await failTask(records, id, "the relay failed while it submitted the task", 0);
      throw error;
    }
  };
  const submitHeld = async (call: TaskCall, choices: TaskAccounts, meter: TaskMeter): Promise<SubmittedTask> => {
    const id = await records.open(toTask(call, meter.quota, getAccount(choices.first, deps)));
    const attempt = await send(call, id, choices);
    if (attempt.outcome !== "responded" || attempt.response.outcome !== "accepted") return refuse(id, attempt, meter);
    await accept(call, id, attempt.response, meter);
    return { body: attempt.response.body, headers: writeCharge(meter, deps.options()) };
  };
  const submit = async (call: TaskCall): Promise<SubmittedTask> => {
    checkGroup(call.admitted, deps.options());
    await checkTaskText(collectFieldText(call.body, WORDS).text, call.group, deps.options());
    const choices = chooseTaskAccounts(deps, call);
    const meter = await deps.openMeter(call);
    try {
      return await submitHeld(call, choices, meter);
    } catch (error) {
      meter.release();
      throw error;
    }
  };
  return async function submitTask(call: TaskCall): Promise<SubmittedTask> {
    try {
      return await submit(call);
    } catch (error) {
      deps.failures.refused({ ...call, path: undefined, call }, error);
      throw error;
    }
  };
}
