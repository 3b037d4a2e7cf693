import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { LogState } from "./log-state.ts";

const DAY_SECONDS = 86_400;

/** Gives up rows that are older than the option LogRetentionDays; the cleaner's sweep takes them away. 0 keeps all. */
export function createLogRetention(deps: {
  state: Pick<LogState, "markDeleted">;
  options: () => Pick<OptionsInForce, "number">;
  nowSeconds: () => number;
}) {
  return async function giveUpOldRows(): Promise<void> {
    const days = deps.options().number("LogRetentionDays");
    if (days <= 0) return;
    await deps.state.markDeleted(deps.nowSeconds() - Math.floor(days * DAY_SECONDS));
  };
}
