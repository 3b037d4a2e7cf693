import type { Budget, Limits } from "./limits.ts";
import { readBudget, readLimits } from "./limits.ts";
import { type Dollars, readDollars } from "./dollars.ts";
import type { LiteLlmRow, LiteLlmSource } from "./litellm-source.ts";
import { readArray, readFlag, readJson } from "./postgres-values.ts";

/**
 * Who pays for keys. LiteLLM charges a key of a team to the team's budget and any other key to its user's (`common_checks` in
 * proxy/auth/auth_checks.py; its setting `apply_user_budget_to_team_keys` adds the user's), so both are an account here: `user:<id>`,
 * `team:<id>`, and `user:` for keys that have neither.
 */
export type Owner = {
  readonly sourceId: string;
  readonly kind: "user" | "team" | "none";
  /** The source's id, without the kind. */
  readonly id: string;
  readonly row: LiteLlmRow;
  readonly budget: Budget;
  readonly limits: Limits;
  readonly models: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly isBlocked: boolean;
  /** Of its keys, deleted ones included: their number now, and what they ever spent. */
  keys: number;
  used: Dollars;
  /** The only key of an owner with a budget that resets carries that budget, because an account's does not reset here. */
  soleKey: string | undefined;
};

export const NO_OWNER = "user:";
/** UI_TEAM_ID in proxy/_types.py: keys of LiteLLM's own console, which live for hours. */
const CONSOLE_TEAM = "litellm-dashboard";

export const isConsoleKey = (row: LiteLlmRow): boolean => row["team_id"] === CONSOLE_TEAM;

/** What a key spent since it was made; `spend` is that of the period, and all there is in older versions. */
export function readUsed(row: LiteLlmRow): Dollars {
  const [total, spend] = [readDollars(row["total_spend"]) ?? 0n, readDollars(row["spend"]) ?? 0n];
  return total > spend ? total : spend;
}

const toAliases = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typeof value === "object" && value !== null ? value : {}).flatMap(([name, model]) =>
      typeof model === "string" && model !== "" && model !== name ? [[name, model]] : [],
    ),
  );
export const readAliases = (cell: string | null | undefined): Readonly<Record<string, string>> =>
  toAliases(readJson(cell));

type Found = Pick<Owner, "kind" | "id" | "row"> & { readonly aliases?: Readonly<Record<string, string>> };

const toOwner = ({ kind, id, row, aliases = {} }: Found): Owner => ({
  sourceId: kind === "none" ? NO_OWNER : `${kind}:${id}`,
  kind,
  id,
  row,
  budget: readBudget(row),
  limits: readLimits(row),
  models: readArray(row["models"]),
  aliases,
  isBlocked: readFlag(row["blocked"]),
  keys: 0,
  used: 0n,
  soleKey: undefined,
});

export type Owners = {
  readonly list: readonly Owner[];
  readonly find: (key: LiteLlmRow) => Owner | undefined;
};

/** Users and teams of a source, by their id here. */
function readPayers(source: LiteLlmSource): Map<string, Owner> {
  const teamAliases = new Map(
    [...source.rows("aliases")].map((row) => [row["id"], readAliases(row["aliases"] ?? row["model_aliases"])]),
  );
  const owners = [...source.rows("users")].map((row) => toOwner({ kind: "user", id: row["user_id"] ?? "", row }));
  for (const row of source.rows("teams")) {
    const aliases = teamAliases.get(row["model_id"]);
    owners.push(toOwner({ kind: "team", id: row["team_id"] ?? "", row, ...(aliases ? { aliases } : {}) }));
  }
  return new Map(owners.map((owner) => [owner.sourceId, owner]));
}

/** The owner of a key whose user the table of users does not have, or of one without a user. */
const toMissingOwner = (id: string, { user_id: user }: LiteLlmRow): Owner =>
  toOwner(id === NO_OWNER ? { kind: "none", id: "", row: {} } : { kind: "user", id: user ?? "", row: {} });

/** All owners of a source, with the figures of their keys. */
export function readOwners(source: LiteLlmSource): Owners {
  const owners = readPayers(source);
  const findId = ({ team_id: team, user_id: user }: LiteLlmRow): string => {
    if (team && owners.has(`team:${team}`)) return `team:${team}`;
    return user ? `user:${user}` : NO_OWNER;
  };
  for (const row of source.rows("keys")) {
    if (isConsoleKey(row)) continue;
    const id = findId(row);
    const owner = owners.get(id) ?? toMissingOwner(id, row);
    owners.set(id, owner);
    owner.soleKey = owner.keys === 0 ? (row["token"] ?? undefined) : undefined;
    owner.keys++;
    owner.used += readUsed(row);
  }
  for (const row of source.rows("deletedKeys")) {
    const owner = isConsoleKey(row) ? undefined : owners.get(findId(row));
    if (owner) owner.used += readUsed(row);
  }
  return { list: [...owners.values()], find: (key) => owners.get(findId(key)) };
}

/** Whether an owner's budget resets, and its only key can carry it because the key has none of its own. */
export const isCarriedByKey = (owner: Owner, key: Budget): boolean =>
  owner.budget.max !== undefined &&
  owner.budget.period !== undefined &&
  owner.soleKey !== undefined &&
  key.max === undefined;
