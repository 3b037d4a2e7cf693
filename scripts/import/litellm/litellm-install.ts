import { createLookupHash } from "@turnpike/shared/crypto/secret-box";
import { getShippedRules } from "@turnpike/shared/catalogue/built-in-catalogue";
import type { PriceValues } from "@turnpike/contract/options/price-changes";
import { SetupError } from "../../process/setup-error.ts";
import type { InstallReader } from "../source/install-reader.ts";
import type { Report } from "../report.ts";
import { type AccountRules, describeOwner, needsOpening, readAccount } from "./accounts.ts";
import { readModelList } from "./channels.ts";
import { type ConfigFile, listPublicModels, readStoredDeployments, readStoredEnvironment } from "./deployments.ts";
import { type Dollars, toUnitsBelow } from "./dollars.ts";
import { describeKey, type KeyRules, readKey } from "./keys.ts";
import type { LiteLlmRow, LiteLlmSource } from "./litellm-source.ts";
import { isCarriedByKey, type Owner, type Owners, readOwners } from "./owners.ts";
import { readBudget } from "./limits.ts";
import { joinPrices } from "./prices.ts";
import { listUnmapped } from "./unmapped.ts";

export type LiteLlmSettings = {
  readonly config: ConfigFile | undefined;
  /** What an account without a budget starts with; undefined where the operator named nothing. */
  readonly openingBalance: Dollars | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly isDryRun: boolean;
  readonly masterKey: string;
  readonly nowSeconds: number;
  readonly quotaPerUnit: number;
  readonly prices: PriceValues;
  readonly report: Pick<Report, "note" | "state">;
};

const BALANCE_NEEDED =
  "have no budget in LiteLLM, but an account here has a balance. Name what each of them starts with: --balance 100 (dollars)";

/** Whether the only key of an owner carries its budget. */
function createCarriedCheck(
  source: LiteLlmSource,
  owners: Owners,
  budgets: ReadonlyMap<string, LiteLlmRow>,
): AccountRules["isCarried"] {
  const carried = new Set<string>();
  for (const row of source.rows("keys")) {
    const owner = owners.find(row);
    if (
      owner &&
      owner.soleKey === row["token"] &&
      isCarriedByKey(owner, readBudget(row, budgets.get(row["budget_id"] ?? "")))
    )
      carried.add(owner.sourceId);
  }
  return (owner: Owner) => carried.has(owner.sourceId);
}

/** Throws SetupError, or in a dry run states it, where accounts need an opening balance that was not named. */
function requireBalance(
  owners: readonly Owner[],
  isCarried: AccountRules["isCarried"],
  settings: LiteLlmSettings,
): void {
  const count = owners.filter((owner) => needsOpening(owner, isCarried)).length;
  if (count === 0 || settings.openingBalance !== undefined) return;
  const text = `${count} users and teams ${BALANCE_NEEDED}`;
  if (!settings.isDryRun) throw new SetupError(`${text}.`);
  settings.report.state(text);
}

/** Finds a variable in the environment of the import, then in LiteLLM's stored one; "" for none. */
const createFindVariable =
  (env: NodeJS.ProcessEnv, environment: Readonly<Record<string, unknown>>) =>
  (name: string): string => {
    const stored = environment[name];
    return env[name] || (typeof stored === "string" ? stored : "");
  };

/**
 * Reads an install of LiteLLM: users and teams as accounts, keys by their SHA-256, the model list as channels, prices of its own.
 * Reports what has no place here.
 */
export function readLiteLlmInstall(source: LiteLlmSource, settings: LiteLlmSettings): InstallReader {
  const { config, env, masterKey, nowSeconds, quotaPerUnit, report } = settings;
  const saltKey = env["LITELLM_SALT_KEY"] || env["LITELLM_MASTER_KEY"] || "";
  const deployments = [...readStoredDeployments(source, saltKey), ...(config?.deployments ?? [])];
  const environment = { ...readStoredEnvironment(source, saltKey), ...config?.environment };
  const findVariable = createFindVariable(env, environment);
  const budgets = new Map([...source.rows("budgets")].map((row) => [row["budget_id"] ?? "", row]));
  const owners = readOwners(source);
  const isCarried = createCarriedCheck(source, owners, budgets);
  requireBalance(owners.list, isCarried, settings);
  const accountRules: AccountRules = {
    quotaPerUnit,
    openingQuota: toUnitsBelow(settings.openingBalance ?? 0n, quotaPerUnit),
    nowSeconds,
    isCarried,
  };
  const keyRules: KeyRules = {
    owners,
    budgets,
    models: listPublicModels(deployments),
    hashKey: createLookupHash(masterKey),
    quotaPerUnit,
    nowSeconds,
  };
  for (const line of listUnmapped(source)) report.state(line);
  return {
    product: "litellm",
    *readOptions() {
      const { value, count, notes } = joinPrices(deployments, {
        stored: settings.prices,
        catalogue: getShippedRules(),
      });
      for (const note of notes) report.note(note);
      if (count > 0) report.state(`${count} models have prices of their own in LiteLLM`);
      if (value !== undefined) yield { key: "PriceRules", value };
    },
    *readChannels() {
      const { channels, notes, statements } = readModelList(deployments, findVariable, nowSeconds);
      for (const statement of statements) report.state(statement);
      for (const note of notes) report.note(note);
      yield* channels;
    },
    *readUsers() {
      for (const [index, owner] of owners.list.entries()) {
        const user = readAccount(owner, index + 1, accountRules);
        for (const line of describeOwner(owner, user, accountRules)) report.note(line);
        yield user;
      }
    },
    *readTokens() {
      for (const row of source.rows("keys")) {
        const token = readKey(row, keyRules);
        if (token.obstacle === undefined) for (const line of describeKey(row, token, keyRules)) report.note(line);
        yield token;
      }
    },
  };
}
