import { TOKEN_STATUS } from "@turnpike/contract/limits";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { TokenDoc } from "../../services/billing/src/store/documents.ts";
import type { SourceRow } from "./open-source.ts";
import { createNumbers, importedId, type ImportPlace, inBatches, knownTargets } from "./place.ts";
import { flagOf, isDeleted, textOf, wholeOf } from "./source-rows.ts";

const TOKENS_A_TRANSACTION = 500;
const STATUSES: readonly number[] = Object.values(TOKEN_STATUS);

/** Lists in the source are separated by commas, lines or blanks. */
const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== "");

/** Parses a row of `tokens` of any of the three products; the key is separate. */
export function readToken(row: SourceRow): Omit<TokenDoc, "_id" | "userId" | "keyBox" | "keyHash"> {
  const models = partsOf(textOf(row, "model_limits") || textOf(row, "models"));
  const status = wholeOf(row, "status");
  const used = wholeOf(row, "used_quota");
  return {
    name: textOf(row, "name").trim() || "default",
    status: STATUSES.includes(status) ? status : TOKEN_STATUS.disabled,
    createdAt: wholeOf(row, "created_time"),
    accessedAt: wholeOf(row, "accessed_time"),
    expiresAt: wholeOf(row, "expired_time") || -1,
    budget: wholeOf(row, "remain_quota") + used,
    spent: used,
    openingSpent: used,
    rev: 1,
    changedAtMs: 0,
    unlimited: flagOf(row, "unlimited_quota"),
    // one-api has no switch for the model list: a list is in force if it is not empty.
    modelLimitsEnabled:
      row["model_limits_enabled"] === undefined ? models.length > 0 : flagOf(row, "model_limits_enabled"),
    modelLimits: models.join(","),
    allowIps: partsOf(textOf(row, "allow_ips") || textOf(row, "subnet")).join("\n"),
    group: textOf(row, "group").trim(),
    rateLimitEnabled: flagOf(row, "rate_limit_enabled"),
    rateLimitPeriod: wholeOf(row, "rate_limit_period"),
    rateLimitCount: wholeOf(row, "rate_limit_count"),
    rateLimitSuccess: wholeOf(row, "rate_limit_success"),
    deletedAt: 0,
  };
}

/** Keys as callers send them, without the prefix. */
const keyOf = (row: SourceRow): string => textOf(row, "key").trim().replace(/^sk-/, "");

/** Imports tokens with their keys; returns the new ids by source id. */
export async function importTokens(
  place: ImportPlace,
  users: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const { collections, source, report, imported, label } = place;
  const { tokens } = collections;
  const secretBox = createSecretBox(place.masterKey);
  const hashKey = createLookupHash(place.masterKey);
  const known = await knownTargets(place, "tokens");
  const there = await tokens.find({}, { projection: { keyHash: 1 } }).toArray();
  const hashes = new Set(there.map(({ keyHash }) => keyHash));
  const numbers = createNumbers(place, "tokens", new Set(there.map(({ _id }) => _id)));
  const targets = new Map<number, number>();
  const ids: number[] = [];

  function* fresh(): Generator<{ sourceId: number; doc: TokenDoc }> {
    for (const row of source.rows("tokens", "id")) {
      const sourceId = wholeOf(row, "id");
      const userId = users.get(wholeOf(row, "user_id"));
      const key = keyOf(row);
      const keyHash = hashKey(key);
      const token = readToken(row);
      const before = known.get(String(sourceId));
      if (isDeleted(row) || userId === undefined || key === "" || (!before && hashes.has(keyHash))) {
        const why = isDeleted(row)
          ? "it was deleted"
          : userId === undefined
            ? "it has no user"
            : "its key is empty or known here";
        report.note(`token ${sourceId} is left out: ${why}`);
        continue;
      }
      report.source("tokens", { rows: 1, remaining: token.budget - token.spent, used: token.spent });
      if (before) {
        targets.set(sourceId, before.target);
        report.target("tokens", before.figures);
        continue;
      }
      hashes.add(keyHash);
      const doc: TokenDoc = { _id: numbers.take(sourceId), userId, ...token, keyHash, keyBox: secretBox.seal(key) };
      targets.set(sourceId, doc._id);
      yield { sourceId, doc };
    }
  }
  for (const batch of inBatches(fresh(), TOKENS_A_TRANSACTION)) {
    if (place.isDryRun) continue;
    await inTransaction(place.connection, async (session) => {
      await tokens.insertMany(
        batch.map(({ doc }) => doc),
        { session },
      );
      await imported.insertMany(
        batch.map(({ sourceId, doc }) => ({
          _id: importedId(place, "tokens", sourceId),
          label,
          table: "tokens",
          target: doc._id,
          figures: { rows: 1, remaining: doc.budget - doc.spent, used: doc.spent },
        })),
        { session },
      );
      await numbers.keep(session);
    });
    ids.push(...batch.map(({ doc }) => doc._id));
  }
  for (const part of inBatches(ids, 10_000))
    for (const { budget, spent } of await tokens.find({ _id: { $in: part } }).toArray())
      report.target("tokens", { rows: 1, remaining: budget - spent, used: spent });
  return targets;
}
