import { AppError } from "@turnpike/shared/errors/app-error";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { Connection, mongo } from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditModel } from "../../../services/auth/src/audit/audit-model.ts";
import { createAuditStore } from "../../../services/auth/src/audit/audit-store.ts";
import { userModel } from "../../../services/auth/src/users/user-model.ts";
import { createUserStore } from "../../../services/auth/src/users/user-store.ts";
import { createTokenStore } from "../../../services/billing/src/tokens/token-store.ts";
import { createCollections } from "../../../services/billing/src/store/collections.ts";
import { messageModel, receiptModel } from "../../../services/messaging/src/inbox/message-model.ts";
import { createMessageStore } from "../../../services/messaging/src/inbox/message-store.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const ROWS = 200_000;
const BATCH = 10_000;
const OWNER = 7;
/** Rows and keywords begin alike, so that each comparison takes as long as it can. */
const FILLER = "a".repeat(200);
const KEYWORDS: readonly (readonly [title: string, keyword: string])[] = [
  ["nested repetitions", "(a+)+$"],
  ["a text that all rows begin with", `${"a".repeat(190)}b`],
  ["optional parts", `${"a?".repeat(60)}b`],
  ["wildcards", "^.*.*.*x"],
  ["letters that fold, and NUL", "\u017f\u212a\0"],
  ["wildcards of SQL", "%a%a%b"],
];
const PROFILE_BYTES = 16 * 1024 ** 2;
const RANGE = { skip: 0, limit: 100 };

type Row = mongo.OptionalUnlessRequiredId<mongo.Document>;
/** What the searches compare, written without the services. */
const ROWS_OF: Readonly<Record<string, (id: number) => object>> = {
  users: (id) => ({ _id: id, username: `${FILLER}${id}`, usernameLower: `u${id}`, email: FILLER, displayName: FILLER }),
  audit: (id) => ({ _id: id, createdAtSeconds: id, target: FILLER, before: FILLER, after: FILLER }),
  messages: (id) => ({ _id: id, title: FILLER, content: FILLER }),
  tokens: (id) => ({ _id: id, userId: OWNER, name: FILLER, keyHash: `k${id}`, deletedAt: 0 }),
};

let connection: Connection;
let searches: Readonly<Record<string, (keyword: string) => Promise<{ total: number }>>>;

async function seed(name: string, toRow: (id: number) => object): Promise<void> {
  const rows = connection.collection(name);
  for (let from = 1; from <= ROWS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => toRow(from + index) as Row);
    await rows.insertMany(batch, { ordered: false, writeConcern: { w: 1, journal: false } });
  }
}

beforeAll(async () => {
  connection = await connectMongo(testBacking().mongodbUrl);
  const users = createUserStore(userModel(connection));
  const audit = createAuditStore({ mongo: connection, model: auditModel(connection) });
  const models = { messages: messageModel(connection), receipts: receiptModel(connection) };
  const messages = createMessageStore({ mongo: connection, ...models });
  const tokens = createTokenStore({ connection, tokens: createCollections(connection).tokens });
  const all = { group: "", role: 0, status: 0, viewerRole: 100 };
  const times = { startSeconds: 0, endSeconds: 0 };
  searches = {
    users: (keyword) => users.list({ ...all, keyword }, RANGE),
    "users by balance": async (keyword) => ({ total: (await users.listIds({ ...all, keyword }, 1_000)).length }),
    audit: (keyword) => audit.list({ actor: "", action: "", keyword, ...times }, RANGE),
    messages: (keyword) => messages.list({ keyword, ...times }, RANGE),
    tokens: (keyword) => tokens.list(OWNER, keyword, RANGE),
  };
  for (const [name, toRow] of Object.entries(ROWS_OF)) await seed(name, toRow);
}, 600_000);
afterAll(async () => {
  await connection?.dropDatabase();
  await connection?.close();
});

const hasPattern = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (value instanceof RegExp ||
    (value as { _bsontype?: string })._bsontype === "BSONRegExp" ||
    Object.values(value).some(hasPattern));

/** Runs a function while the database records its operations; returns the time limits of those with a pattern. */
async function readTimeLimits(run: () => Promise<void>): Promise<(readonly [string, number | undefined])[]> {
  const database = connection.getClient().db(connection.name);
  await database.createCollection("system.profile", { capped: true, size: PROFILE_BYTES });
  await database.command({ profile: 2, slowms: 0 });
  try {
    await run();
  } finally {
    await database.command({ profile: 0 });
  }
  const entries = await database
    .collection("system.profile")
    .find({ op: { $in: ["query", "command"] } })
    .toArray();
  return entries.flatMap(({ ns, command }) => {
    const { filter, pipeline, query, maxTimeMS } = command as mongo.Document;
    return hasPattern([filter, pipeline, query]) ? [[String(ns), maxTimeMS as number | undefined] as const] : [];
  });
}

describe("search over many rows", () => {
  it.each(KEYWORDS)(
    "returns a page for %j, or an error that suggests a narrower search",
    async (keyword) => {
      for (const [name, search] of Object.entries(searches)) {
        const startedAt = performance.now();
        const outcome = await search(keyword).then(
          ({ total }) => `${total} rows`,
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        );
        console.log(`${name}: ${outcome}, ${Math.round(performance.now() - startedAt)} ms`);
        expect([name, outcome]).toEqual([name, expect.stringMatching(/^(0 rows|search_too_long)$/)]);
      }
    },
    120_000,
  );

  it("has a time limit for every comparison with a pattern", async () => {
    const limits = await readTimeLimits(async () => {
      for (const search of Object.values(searches)) await search("x.y").catch(() => undefined);
    });
    expect(new Set(limits.map(([ns]) => ns.split(".").at(-1)))).toEqual(new Set(Object.keys(ROWS_OF)));
    for (const [ns, limit = Number.POSITIVE_INFINITY] of limits)
      expect([ns, limit <= SEARCH_TIMEOUT_MS]).toEqual([ns, true]);
  }, 60_000);
});
