import { isSameModel } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { separateIterations, type TokenUsage } from "@turnpike/contract/pricing/usage";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { getLastChannel, type RelayCall } from "../../core/call/relay-call.ts";

/** The usage with the iterations that are charged by themselves: those that the totals lack, and those of another model than the call's. */
export function separateOwnIterations(call: RelayCall, usage: TokenUsage): TokenUsage {
  if (usage.iterations === undefined) return usage;
  const channel = getLastChannel(call);
  const names = [call.model, ...(channel ? [getUpstreamModel(channel, call.model)] : [])];
  return separateIterations(usage, (model) => !names.some((name) => isSameModel(name, model)));
}
