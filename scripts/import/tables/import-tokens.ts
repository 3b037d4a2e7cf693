import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { TokenDoc } from "../../../services/billing/src/store/account-documents.ts";
import {
  createNumbers,
  type ImportContext,
  inBatches,
  type Numbers,
  readImported,
  recordImported,
} from "./import-context.ts";
import type { ReadToken, SourceId } from "../source/install-reader.ts";

const TOKENS_A_TRANSACTION = 500;
const IDS_A_QUERY = 10_000;

type NewToken = { readonly sourceId: SourceId; readonly doc: TokenDoc };
/** New ids by source id. */
type Targets = Map<SourceId, number>;

const getFigures = ({ budget, spent }: Pick<TokenDoc, "budget" | "spent">) => ({
  rows: 1,
  remaining: budget - spent,
  used: spent,
});

/** Why a token is left out; undefined when it is not. */
function findObstacle({ obstacle }: ReadToken, isOwned: boolean, isKeyFree: boolean): string | undefined {
  if (obstacle !== undefined) return obstacle;
  if (!isOwned) return "it has no user";
  return isKeyFree ? undefined : "its key is empty or known here";
}

/** The tokens of the source that are new here; the others are reported. Adds all of them to the targets. */
async function readNewTokens(
  context: ImportContext,
  users: ReadonlyMap<SourceId, number>,
  about: {
    readonly stored: readonly Pick<TokenDoc, "keyHash">[];
    readonly numbers: Numbers;
    readonly targets: Targets;
  },
) {
  const { reader, report, groups } = context;
  const { stored, numbers, targets } = about;
  const known = await readImported(context, "tokens");
  const hashes = new Set(stored.map(({ keyHash }) => keyHash));
  return (function* tokens(): Generator<NewToken> {
    for (const token of reader.readTokens()) {
      const { sourceId, key, doc } = token;
      const userId = users.get(token.userSourceId);
      const before = known.get(String(sourceId));
      const isKeyFree = key.keyHash !== "" && (before !== undefined || !hashes.has(key.keyHash));
      const obstacle = findObstacle(token, userId !== undefined, isKeyFree);
      if (obstacle !== undefined || userId === undefined) {
        report.note(`token ${sourceId} is left out: ${obstacle}`);
        continue;
      }
      report.source("tokens", getFigures(doc));
      groups.add("token", doc.group);
      if (before) {
        targets.set(sourceId, before.target);
        report.target("tokens", before.figures);
        continue;
      }
      hashes.add(key.keyHash);
      const stored: TokenDoc = { _id: numbers.take(sourceId), userId, ...doc, ...key };
      targets.set(sourceId, stored._id);
      yield { sourceId, doc: stored };
    }
  })();
}

/** Imports tokens with their keys; returns the new ids by source id. */
export async function importTokens(context: ImportContext, users: ReadonlyMap<SourceId, number>): Promise<Targets> {
  const { tokens } = context.collections;
  const stored = await tokens.find({}, { projection: { keyHash: 1 } }).toArray();
  const numbers = createNumbers(context, "tokens", new Set(stored.map(({ _id }) => _id)));
  const targets: Targets = new Map();
  const ids: number[] = [];
  const fresh = await readNewTokens(context, users, { stored, numbers, targets });
  for (const batch of inBatches(fresh, TOKENS_A_TRANSACTION)) {
    if (context.isDryRun) continue;
    const docs = batch.map(({ doc }) => doc);
    const rows = batch.map(({ sourceId, doc }) => ({ sourceId, target: doc._id, figures: getFigures(doc) }));
    await inTransaction(context.connection, async (session) => {
      await tokens.insertMany(docs, { session });
      await recordImported(context, { table: "tokens", rows }, session);
      await numbers.store(session);
    });
    ids.push(...docs.map(({ _id }) => _id));
  }
  for (const part of inBatches(ids, IDS_A_QUERY))
    for (const token of await tokens.find({ _id: { $in: part } }).toArray())
      context.report.target("tokens", getFigures(token));
  return targets;
}
