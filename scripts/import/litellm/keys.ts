import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { hashForeignDigest } from "@turnpike/shared/crypto/token-key-hash";
import { getPeriodEnd } from "../../../services/billing/src/tokens/budget-period.ts";
import type { TokenDoc } from "../../../services/billing/src/store/account-documents.ts";
import type { ReadToken } from "../source/install-reader.ts";
import { formatAmount, toUnits, toUnitsBelow } from "./dollars.ts";
import { type Budget, isClosed, joinLimits, type Limits, readBudget, readLimits } from "./limits.ts";
import type { LiteLlmRow } from "./litellm-source.ts";
import { intersectAccess, type ModelAccess, type PublicModel, readModelAccess, withAliases } from "./model-access.ts";
import { isCarriedByKey, isConsoleKey, type Owner, type Owners, readAliases, readUsed } from "./owners.ts";
import { readArray, readFlag, readTime } from "./postgres-values.ts";

const NAME_LENGTH_MAX = 30;
const MINUTE_SECONDS = 60;
const DIGEST = /^[0-9a-f]{64}$/i;

export type KeyRules = {
  readonly owners: Owners;
  readonly budgets: ReadonlyMap<string, LiteLlmRow>;
  readonly models: readonly PublicModel[];
  /** Keyed hash of the master key. */
  readonly hashKey: (secret: string) => string;
  readonly quotaPerUnit: number;
  readonly nowSeconds: number;
};

/** The name of a key as a token has it. */
export const getName = ({ key_alias: alias, key_name: name }: LiteLlmRow): string =>
  Array.from((alias || name || "default").replace(/\p{C}/gu, "").trim())
    .slice(0, NAME_LENGTH_MAX)
    .join("") || "default";

/** The budget in force of a key: its own, or that of an owner whose only key it is. */
export function findBudget(row: LiteLlmRow, owner: Owner | undefined, { budgets }: Pick<KeyRules, "budgets">): Budget {
  const own = readBudget(row, budgets.get(row["budget_id"] ?? ""));
  return owner && isCarriedByKey(owner, own) ? owner.budget : own;
}

function toBudgetFields(budget: Budget, used: number, { quotaPerUnit, nowSeconds }: KeyRules) {
  const { max, spent, period, resetAt } = budget;
  if (max === undefined) return { unlimited: true, budget: used };
  const remaining = toUnitsBelow(max - spent, quotaPerUnit);
  const limited = { unlimited: false, budget: remaining + used };
  const periodQuota = toUnitsBelow(max, quotaPerUnit);
  if (period === undefined || periodQuota < 1) return limited;
  return { ...limited, budgetPeriod: period, periodQuota, periodEndsAt: resetAt ?? getPeriodEnd(period, nowSeconds) };
}

const toLimitFields = ({ tokens = 0, requests = 0, parallel = 0 }: Limits) => ({
  rateLimitEnabled: requests > 0,
  rateLimitPeriod: requests > 0 ? MINUTE_SECONDS : 0,
  rateLimitCount: requests,
  rateLimitSuccess: 0,
  tokensPerMinute: tokens,
  concurrentCalls: parallel,
});

function getAliases(row: LiteLlmRow, owner: Owner | undefined): Readonly<Record<string, string>> {
  const aliases = { ...owner?.aliases, ...readAliases(row["aliases"]) };
  return checkOptionValue("ModelAliases", JSON.stringify(aliases)) === undefined ? aliases : {};
}

function getAccess(row: LiteLlmRow, owner: Owner | undefined, { models }: KeyRules): ModelAccess {
  const [own, ofOwner] = [readArray(row["models"]), owner?.models ?? []];
  return intersectAccess(readModelAccess(own, models), readModelAccess(ofOwner, models));
}

/** Limits of a key; those of a team or user hold for each of its keys here. */
const getLimits = (row: LiteLlmRow, owner: Owner | undefined, { budgets }: KeyRules): Limits => {
  const own = readLimits(row, budgets.get(row["budget_id"] ?? ""));
  return owner ? joinLimits(own, owner.limits) : own;
};

function findObstacle(row: LiteLlmRow): string | undefined {
  if (isConsoleKey(row)) return "it is a session of LiteLLM's console";
  return DIGEST.test(row["token"] ?? "") ? undefined : "its hash is not a SHA-256";
}

/**
 * A key of LiteLLM as a token, with its budget, limits, models, aliases and expiry. It is known by its hash only: the column `token` is
 * the SHA-256 of the whole key in hex, `sk-` included (`hash_token` in proxy/utils.py).
 */
export function readKey(row: LiteLlmRow, rules: KeyRules): ReadToken {
  const { owners, hashKey, quotaPerUnit, nowSeconds } = rules;
  const owner = owners.find(row);
  const limits = getLimits(row, owner, rules);
  const aliases = getAliases(row, owner);
  const access = withAliases(getAccess(row, owner, rules), aliases);
  const used = toUnits(readUsed(row), quotaPerUnit);
  const digest = row["token"] ?? "";
  const doc: ReadToken["doc"] = {
    name: getName(row),
    status: readFlag(row["blocked"]) || isClosed(limits) ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled,
    createdAt: readTime(row["created_at"]) ?? nowSeconds,
    accessedAt: readTime(row["last_active"]) ?? 0,
    expiresAt: readTime(row["expires"]) ?? -1,
    ...toBudgetFields(findBudget(row, owner, rules), used, rules),
    spent: used,
    openingSpent: used,
    rev: 1,
    changedAtMs: 0,
    modelLimitsEnabled: access !== undefined,
    modelLimits: access ? [...access].join(",") : "",
    allowIps: "",
    group: "",
    ...toLimitFields(limits),
    ...(Object.keys(aliases).length === 0 ? {} : { modelAliases: JSON.stringify(aliases) }),
    deletedAt: 0,
  };
  return {
    // The start of the digest names the key in the report and cannot confirm a guess.
    sourceId: digest.slice(0, 16),
    userSourceId: owner?.sourceId ?? "",
    key: { keyBox: "", keyHash: DIGEST.test(digest) ? hashForeignDigest(hashKey, digest) : "" },
    obstacle: findObstacle(row),
    doc,
  };
}

type TokenFields = Pick<TokenDoc, "modelLimitsEnabled" | "modelLimits">;

/** What an operator must know about a key's budget, limits and models; none for most keys. */
export function describeKey(row: LiteLlmRow, token: { readonly doc: TokenFields }, rules: KeyRules): string[] {
  const owner = rules.owners.find(row);
  const { max, duration, period } = findBudget(row, owner, rules);
  const name = `key ${getName(row)}`;
  const aliases = { ...owner?.aliases, ...readAliases(row["aliases"]) };
  const lostAliases = Object.keys(aliases).length > 0 && Object.keys(getAliases(row, owner)).length === 0;
  return [
    ...(max !== undefined && duration !== "" && period === undefined
      ? [
          `${name}: its budget of $${formatAmount(max)} does not reset here every ${duration}; the token has what is left of it`,
        ]
      : []),
    ...(isClosed(getLimits(row, owner, rules))
      ? [`${name}: a limit of 0 refuses every call, so the token is disabled`]
      : []),
    ...(token.doc.modelLimitsEnabled && token.doc.modelLimits === "" ? [`${name}: it may call no model`] : []),
    ...(lostAliases ? [`${name}: its aliases are not valid here and are left out`] : []),
  ];
}
