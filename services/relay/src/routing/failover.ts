import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Admitted } from "../core/call/caller.ts";
import type { Choice, Tiers } from "../core/call/channel.ts";
import type { Chooser, RoutingPreferences } from "./channel-chooser.ts";

/** A call, Realtime session or task with its attempts so far. */
type Attempts = {
  readonly admitted: Admitted;
  readonly tried: Choice[];
};

type Deps = {
  readonly chooser: Chooser;
  readonly options: () => OptionsInForce;
};

const hasAttemptsLeft = ({ admitted, tried }: Attempts, options: OptionsInForce): boolean =>
  tried.length < (admitted.pinnedChannelId === undefined ? options.number("RetryTimes") + 1 : 1);

/** The account of the last attempt again, recorded in `tried`; undefined if the attempts are exhausted. */
export function chooseSame({ options }: Pick<Deps, "options">, call: Attempts): Choice | undefined {
  const last = hasAttemptsLeft(call, options()) ? call.tried.at(-1) : undefined;
  if (last) call.tried.push(last);
  return last;
}

/**
 * Chooses the channel of the next attempt and records it in `tried`; undefined if the attempts (RetryTimes, one for a
 * pinned channel) or the candidates are exhausted. Callers decide first whether the failure is retryable; the retry
 * budget (RetryBudgetSeconds) bounds calls alone.
 */
export function chooseNext(
  { chooser, options }: Deps,
  call: Attempts,
  tiers: Tiers,
  preferences?: RoutingPreferences,
): Choice | undefined {
  if (!hasAttemptsLeft(call, options())) return undefined;
  const next = chooser.choose(tiers, call.tried, preferences);
  if (next) call.tried.push(next);
  return next;
}
