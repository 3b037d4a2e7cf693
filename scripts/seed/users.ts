import { ROLE, TOKEN_STATUS } from "@turnpike/contract/codes";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { hashPassword } from "../../services/auth/src/users/password-hash.ts";
import { newUser } from "../../services/auth/src/users/new-user.ts";
import { userModel } from "../../services/auth/src/users/user-model.ts";
import type { Collections } from "../../services/billing/src/store/collections.ts";
import type { LedgerDoc, TokenDoc } from "../../services/billing/src/store/account-documents.ts";
import { generateTokenKey } from "../../services/billing/src/tokens/token-key.ts";
import { makeCast, type SeedUser, getTokens } from "./cast.ts";

/** Far more than the generated calls cost. */
const CREDIT = 50_000_000_000_000;

type Deps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly masterKey: string;
  readonly random: () => number;
};
type SeedSize = {
  readonly users: number;
  readonly password: string | undefined;
  readonly beganAtSeconds: number;
  readonly names?: readonly string[];
  /** The first credit of each user. */
  readonly credit?: Pick<LedgerDoc, "kind" | "amount" | "reason">;
};
const SEED_CREDIT = { kind: "admin", amount: CREDIT, reason: "seed-logs" };

const getToken = (
  user: SeedUser,
  token: SeedUser["tokens"][number],
  at: number,
): Omit<TokenDoc, "keyBox" | "keyHash"> => ({
  _id: token.id,
  userId: user.id,
  name: token.name,
  status: TOKEN_STATUS.enabled,
  createdAt: at,
  accessedAt: 0,
  expiresAt: -1,
  budget: 0,
  spent: 0,
  rev: 1,
  changedAtMs: at * 1000,
  unlimited: true,
  modelLimitsEnabled: false,
  modelLimits: "",
  allowIps: "",
  group: "",
  rateLimitEnabled: false,
  rateLimitPeriod: 0,
  rateLimitCount: 0,
  rateLimitSuccess: 0,
  deletedAt: 0,
});

/** Creates users, tokens, and accounts with one credit each, as auth and billing would have stored them. */
export async function createUsers(
  deps: Deps,
  { users, password, beganAtSeconds, names = [], credit: first = SEED_CREDIT }: SeedSize,
): Promise<SeedUser[]> {
  const { connection, collections, masterKey } = deps;
  const firstUserId = await allocateIds(connection, "users", users);
  const tokenCount = Array.from({ length: users }, (_, index) => getTokens(index)).reduce(
    (sum, count) => sum + count,
    0,
  );
  const firstTokenId = await allocateIds(connection, "tokens", tokenCount);
  const cast = makeCast({ users, firstUserId, firstTokenId, names }, deps.random);
  const passwordHash = password === undefined ? "" : await hashPassword(password);
  const about = { passwordHash, mustChangePassword: false, role: ROLE.user };
  await userModel(connection).insertMany(
    cast.map(({ id, username, group }) => ({
      ...newUser(id, { ...about, username, displayName: username }, beganAtSeconds),
      group,
    })),
  );
  const secretBox = createSecretBox(masterKey);
  const hashKey = createLookupHash(masterKey);
  const at = { createdAtMs: beganAtSeconds * 1000 };
  const credit = { ...first, creditsAfter: first.amount, quotaAfter: first.amount, ...at };
  await collections.ledger.insertMany(cast.map(({ id }) => ({ _id: `seed:${id}`, userId: id, ...credit })));
  const account = { credits: first.amount, spent: 0, requestCount: 0, rev: 1, changedAtMs: 0 };
  await collections.accounts.insertMany(cast.map(({ id }) => ({ _id: id, ...account })));
  await collections.tokens.insertMany(
    cast.flatMap((user) =>
      user.tokens.map((token) => {
        const key = generateTokenKey();
        return { ...getToken(user, token, beganAtSeconds), keyBox: secretBox.seal(key), keyHash: hashKey(key) };
      }),
    ),
  );
  return cast;
}
