import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { DAY_SECONDS } from "../store/calendar.ts";
import type { LogState } from "./log-state.ts";

/** Marks rows of calls older than the option LogRetentionDays as deleted; the cleaner's sweep removes them. 0 keeps all. */
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
