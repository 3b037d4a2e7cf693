import type { Task, TaskAccount } from "@turnpike/proto/billing/v1/task_service";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { orderByCost } from "../../routing/cheapest-first.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { Tiers } from "../../core/call/channel.ts";
import { through } from "../../upstream/upstream-client.ts";
import type { TaskCall } from "./task-call.ts";
import type { TaskUpstream } from "../wire/task-platform.ts";

/** The secret fields of an account. */
type Sealed = { readonly key: string; readonly proxy?: string };
type Keys = {
  /** HMAC of a key. */
  readonly hash: (key: string) => string;
  /** Encrypts a key for a task that may outlive its channel. */
  readonly seal: (key: string) => string;
};

/** The account data stored with a task. */
export const getAccount = ({ channel, key }: Choice, { hash, seal }: Keys): TaskAccount => ({
  channelId: channel.id,
  channelName: channel.name,
  channelType: channel.type,
  baseUrl: channel.baseUrl,
  keyHash: hash(key),
  keyBox: seal(JSON.stringify({ key, ...through(channel.proxy) } satisfies Sealed)),
});

/** Where an open task is polled, even if its channel no longer exists. Throws if its key cannot be decrypted. */
export function getUpstreamAccount({ baseUrl, keyBox }: TaskAccount, open: (box: string) => string): TaskUpstream {
  const { key, proxy } = JSON.parse(open(keyBox)) as Sealed;
  return { baseUrl, key, proxy };
}

/** The account that created a task. Throws no_available_channel if its channel or key is disabled. */
export function findOriginAccount(origin: Task, table: RoutingTable, hash: Keys["hash"]): Choice {
  const channel = table.byId(origin.account?.channelId ?? 0);
  if (!channel) throw new RelayError("no_available_channel", "the channel of the original task is disabled");
  const key = channel.keys.find((candidate) => hash(candidate) === origin.account?.keyHash);
  if (key === undefined) throw new RelayError("no_available_channel", "the account of the original task is disabled");
  return { channel, key };
}

/**
 * The candidates for a submission: the account of its original task, the channel an administrator pinned, else all
 * channels of the group that serve the model.
 */
export function findTaskTiers(call: TaskCall, table: RoutingTable, options: OptionsInForce): Tiers {
  const { pinnedChannelId, caller } = call.admitted;
  const { model, group, platform } = call;
  if (pinnedChannelId === undefined && !caller.known.allowsModel(model))
    throw new RelayError("model_not_allowed", `this token may not use the model ${model}`, { param: "model" });
  const pinned = pinnedChannelId === undefined ? undefined : table.byId(pinnedChannelId);
  const found =
    pinnedChannelId === undefined ? orderByCost(table.tiers(group, model), call, options) : pinned ? [[pinned]] : [];
  const tiers = found
    .map((tier) => tier.filter(({ type }) => platform.channelTypes.has(type)))
    .filter((tier) => tier.length > 0);
  if (tiers.length > 0) return tiers;
  throw new RelayError("no_available_channel", `no channel of the group ${group} serves the model ${model} right now`);
}
