import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { Choice } from "../../core/call/channel.ts";
import { chooseNext } from "../../routing/failover.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import { findOriginAccount, findTaskTiers } from "../accounting/task-accounts.ts";
import { type Attempt, attemptTask } from "./task-attempt.ts";
import type { TaskCall } from "../accounting/task-call.ts";
import type { TaskObserver } from "./task-observer.ts";

/** The account of the first attempt, and those of the next ones. */
export type TaskAccounts = { readonly first: Choice; readonly next: () => Choice | undefined };

type ChoiceDeps = {
  readonly table: () => RoutingTable;
  readonly chooser: Chooser;
  readonly options: () => OptionsInForce;
  readonly hash: (key: string) => string;
};
type SendDeps = {
  readonly client: UpstreamClient;
  readonly observer: TaskObserver;
  readonly now: () => number;
};

/**
 * Chooses where a task is submitted: a follow-up only to the account of its original task. Throws RelayError if no
 * account may serve it.
 */
export function chooseTaskAccounts(deps: ChoiceDeps, call: TaskCall): TaskAccounts {
  const table = deps.table();
  const { known } = call.admitted.caller;
  if (call.origin) {
    if (!known.allowsModel(call.model))
      throw new RelayError("model_not_allowed", `this token may not use the model ${call.model}`, { param: "model" });
    const first = findOriginAccount(call.origin, table, deps.hash);
    call.tried.push(first);
    return { first, next: () => undefined };
  }
  const tiers = findTaskTiers(call, table, deps.options());
  const next = (): Choice | undefined => chooseNext(deps, call, tiers);
  const first = next();
  if (first) return { first, next };
  throw new RelayError("no_available_channel", `no channel serves the model ${call.model} right now`);
}

async function sendAttempt(deps: SendDeps, call: TaskCall, choice: Choice): Promise<Attempt> {
  const { observer } = deps;
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
    observer.responded(choice);
    if (attempt.response.outcome === "refused" && attempt.response.isUnusable)
      observer.reportUnusable(choice, attempt.response.message);
  }
  return attempt;
}

const canFailOver = (attempt: Attempt): boolean =>
  attempt.outcome === "failed"
    ? attempt.canFailOver
    : attempt.response.outcome === "refused" && attempt.response.canFailOver;

/** Submits a task, to the next account as long as no upstream can have accepted it. */
export async function sendWithFailover(
  deps: SendDeps,
  call: TaskCall,
  { first, next }: TaskAccounts,
): Promise<Attempt> {
  for (let choice = first; ;) {
    const attempt = await sendAttempt(deps, call, choice);
    const other = canFailOver(attempt) ? next() : undefined;
    if (!other) return attempt;
    choice = other;
  }
}
