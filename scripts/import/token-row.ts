import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import type { TokenDoc } from "../../services/billing/src/store/account-documents.ts";
import type { ReadToken } from "./source/install-reader.ts";
import type { SourceRow } from "./source/open-source.ts";
import { getFlag, getText, getInteger, isDeleted } from "./source/source-rows.ts";

const STATUSES: readonly number[] = Object.values(TOKEN_STATUS);

/** Lists in the source are separated by commas, lines or blanks. */
const getParts = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== "");

/** Parses a row of `tokens` of any of the three products; the key is separate. */
export function readToken(row: SourceRow): Omit<TokenDoc, "_id" | "userId" | "keyBox" | "keyHash"> {
  const models = getParts(getText(row, "model_limits") || getText(row, "models"));
  const status = getInteger(row, "status");
  const used = getInteger(row, "used_quota");
  return {
    name: getText(row, "name").trim() || "default",
    status: STATUSES.includes(status) ? status : TOKEN_STATUS.disabled,
    createdAt: getInteger(row, "created_time"),
    accessedAt: getInteger(row, "accessed_time"),
    expiresAt: getInteger(row, "expired_time") || -1,
    budget: getInteger(row, "remain_quota") + used,
    spent: used,
    openingSpent: used,
    rev: 1,
    changedAtMs: 0,
    unlimited: getFlag(row, "unlimited_quota"),
    // one-api has no switch for the model list: a list is in force if it is not empty.
    modelLimitsEnabled:
      row["model_limits_enabled"] === undefined ? models.length > 0 : getFlag(row, "model_limits_enabled"),
    modelLimits: models.join(","),
    allowIps: getParts(getText(row, "allow_ips") || getText(row, "subnet")).join("\n"),
    group: getText(row, "group").trim(),
    rateLimitEnabled: getFlag(row, "rate_limit_enabled"),
    rateLimitPeriod: getInteger(row, "rate_limit_period"),
    rateLimitCount: getInteger(row, "rate_limit_count"),
    rateLimitSuccess: getInteger(row, "rate_limit_success"),
    deletedAt: 0,
  };
}

/** Keys as callers send them, without the prefix. */
const getKey = (row: SourceRow): string => getText(row, "key").trim().replace(/^sk-/, "");

/** Creates the function that reads a row of `tokens` with its key, encrypted with the master key. */
export function createTokenReader(masterKey: string): (row: SourceRow) => ReadToken {
  const secretBox = createSecretBox(masterKey);
  const hashKey = createLookupHash(masterKey);
  return (row) => {
    const key = getKey(row);
    return {
      sourceId: getInteger(row, "id"),
      userSourceId: getInteger(row, "user_id"),
      key: key === "" ? { keyBox: "", keyHash: "" } : { keyBox: secretBox.seal(key), keyHash: hashKey(key) },
      obstacle: isDeleted(row) ? "it was deleted" : undefined,
      doc: readToken(row),
    };
  };
}
