import { parseTable } from "@turnpike/contract/options/price-differences";
import { PRICE_OPTIONS } from "@turnpike/contract/options/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";
import { readPriceOptions } from "./price-options.ts";

type Named = Readonly<Record<string, unknown>>;

/** How many hold a group. */
export type GroupHolders = { readonly users: number; readonly tokens: number; readonly channels: number };

/** A change of the group ratios: the whole table, some of its entries, or the default. */
export type RatioChange =
  | { readonly value: string }
  | { readonly set?: Named; readonly remove?: readonly string[] }
  | { readonly reset: true };

/** What is wrong with a table is reported where it would be stored. */
const parseNames = (text: string): ReadonlySet<string> => new Set(Object.keys(parseTable(text) ?? {}));

const unknownGroup = (name: string): AppError =>
  new AppError("group_unknown", `group ${name} has no ratio`, { params: { group: name.slice(0, 100) } });

/** Some users of a group, whatever their role: without an actor, all count. */
const listUsers = ({ auth }: Services, group: string, pageSize: number) =>
  auth.listUsers({ keyword: "", page: 1, pageSize, group, role: 0, status: 0, ids: [] });

/** Some channels of a group. */
const listChannels = ({ channels }: Services, group: string, pageSize: number, call: CallOptions) =>
  channels.listChannels({ keyword: "", page: 0, pageSize, group, model: "", idSort: true, tagMode: false }, call);

/** The groups that calls may be of: those with a ratio. */
export const readGroups = async (services: Services, call: CallOptions): Promise<ReadonlySet<string>> =>
  parseNames((await readPriceOptions(services, call)).get("GroupRatio") ?? PRICE_OPTIONS.GroupRatio.default);

/** Throws group_unknown for a group without a ratio: its calls would be refused. Empty names are no groups. */
export async function requireGroups(services: Services, names: readonly string[], call: CallOptions): Promise<void> {
  const requested = names.map((name) => name.trim()).filter((name) => name !== "");
  if (requested.length === 0) return;
  const groups = await readGroups(services, call);
  const unknown = requested.find((name) => !groups.has(name));
  if (unknown !== undefined) throw unknownGroup(unknown);
}

/** How many users, tokens and channels are in a group. */
async function countHolders(services: Services, group: string, call: CallOptions): Promise<GroupHolders> {
  const [users, held, served] = await Promise.all([
    listUsers(services, group, 1),
    services.tokens.countGroupTokens({ group }, call),
    listChannels(services, group, 1, call),
  ]);
  return { users: users.total, tokens: held.count, channels: served.total };
}

function getNextNames(before: ReadonlySet<string>, change: RatioChange): ReadonlySet<string> {
  if ("reset" in change) return parseNames(PRICE_OPTIONS.GroupRatio.default);
  if ("value" in change) return parseNames(change.value);
  const removed = new Set(change.remove);
  return new Set([...[...before].filter((name) => !removed.has(name)), ...Object.keys(change.set ?? {})]);
}

/**
 * Checks a change of the groups: throws group_in_use where a group would go that users, tokens or channels are in, and group_unknown
 * where users would be offered one without a ratio.
 */
export async function checkGroupChange(
  services: Services,
  { ratios, usable }: { readonly ratios?: RatioChange | undefined; readonly usable?: string | undefined },
  call: CallOptions,
): Promise<void> {
  if (ratios === undefined && usable === undefined) return;
  const before = await readGroups(services, call);
  const after = ratios === undefined ? before : getNextNames(before, ratios);
  for (const group of [...before].filter((name) => !after.has(name))) {
    const holders = await countHolders(services, group, call);
    if (holders.users + holders.tokens + holders.channels === 0) continue;
    const counts = Object.fromEntries(Object.entries(holders).map(([kind, count]) => [kind, String(count)]));
    throw new AppError("group_in_use", `group ${group} is in use`, { params: { group, ...counts } });
  }
  const unknown = usable === undefined ? undefined : [...parseNames(usable)].find((name) => !after.has(name));
  if (unknown !== undefined) throw unknownGroup(unknown);
}

/** The most that one step of a move changes, so that it ends within a request's time. */
const USERS_A_STEP = 50;
const TOKENS_A_STEP = 1_000;
const CHANNELS_A_STEP = 50;

/** Moves some of the users, tokens and channels of a group to another one; returns how many, and how many are left. */
export async function moveGroup(
  services: Services,
  { from, to }: { readonly from: string; readonly to: string },
  call: CallOptions,
): Promise<GroupHolders & { readonly left: number }> {
  await requireGroups(services, [to], call);
  const { auth, tokens, channels } = services;
  const users = await listUsers(services, from, USERS_A_STEP);
  for (const { id } of users.items) await auth.updateUser({ id, group: to }, call);
  const { count } = await tokens.moveGroupTokens({ fromGroup: from, toGroup: to, limit: TOKENS_A_STEP }, call);
  const served = await listChannels(services, from, CHANNELS_A_STEP, call);
  for (const { id, group } of served.items) {
    const groups = group.split(",").map((name) => (name === from ? to : name));
    await channels.updateChannel({ id, input: { group: [...new Set(groups)].join(",") } }, call);
  }
  const left = await countHolders(services, from, call);
  return {
    users: users.items.length,
    tokens: count,
    channels: served.items.length,
    left: left.users + left.tokens + left.channels,
  };
}
