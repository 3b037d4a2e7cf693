import { findGroupRatio, type PriceTables } from "@turnpike/contract/pricing/price-tables";
import { hashForeignDigest } from "@turnpike/shared/crypto/token-key-hash";
import { userModel } from "../../../services/auth/src/users/user-model.ts";
import type { ImportContext } from "../tables/import-context.ts";
import type { PayerGroup } from "./shadow-price.ts";

/** The group of users who have not been imported yet. */
const DEFAULT_GROUP = "default";
const TIMEOUT_MS = 15_000;
/** Keys that are remembered: a dump may have many more that were used once. */
const REMEMBERED_MAX = 100_000;

/** Finds the group in which the calls of a key are charged here; that of new users for a key that is not imported. */
export function createPayers(
  { connection, collections }: Pick<ImportContext, "connection" | "collections">,
  tables: PriceTables,
  hashKey: (secret: string) => string,
): (keyDigest: string) => Promise<PayerGroup> {
  const known = new Map<string, PayerGroup>();
  const find = async (keyDigest: string): Promise<PayerGroup> => {
    const token = await collections.tokens.findOne(
      { keyHash: hashForeignDigest(hashKey, keyDigest), deletedAt: 0 },
      { projection: { userId: 1, group: 1 }, maxTimeMS: TIMEOUT_MS },
    );
    const user = token && (await userModel(connection).findById(token.userId, { group: 1 }).lean<{ group: string }>());
    const userGroup = user?.group ?? DEFAULT_GROUP;
    const group = token?.group || userGroup;
    return { group, ratio: findGroupRatio(tables, group, userGroup) };
  };
  return async (keyDigest) => {
    const remembered = known.get(keyDigest);
    if (remembered) return remembered;
    if (known.size >= REMEMBERED_MAX) known.clear();
    const payer = await find(keyDigest);
    known.set(keyDigest, payer);
    return payer;
  };
}
