import { beforeAll, expect, it } from "vitest";
import { type ChargedReply, createChargedPost, DIALECT_CALLS, inDollars, readCharge } from "../../lib/charged-post.ts";
import type { LogRow, TestUser } from "../../lib/test-site.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const MODELS = ["gpt-4o", "gpt-4o-mini", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"];
const CALLS = 1_000;
const AT_ONCE = 20;
const PAGE_SIZE = 100;

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
let user: TestUser;
let post: ReturnType<typeof createChargedPost>;

beforeAll(async () => {
  user = await at.testSite.createUser(1_000_000_000);
  post = createChargedPost((await at.testSite.token({}, user.client)).key);
});

/** One call of a thousand: each dialect, model, way of delivery and address, with figures of its own. */
async function makeCall(number: number): Promise<ChargedReply> {
  const model = MODELS[number % MODELS.length] ?? "";
  const [path, body] = DIALECT_CALLS[Math.floor(number / MODELS.length) % DIALECT_CALLS.length] ?? [];
  const stream = Math.floor(number / 16) % 2 === 1;
  const base = number % 5 === 0 ? at.world.consoleUrl : at.world.relayUrl;
  const reply = await post(base, path?.(model, stream) ?? "", { model, ...body?.(stream) });
  expect({ number, status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  return reply;
}

/** Usage that differs from call to call, with odd numbers of cached tokens. */
function planUsage(): void {
  for (let number = 0; number < CALLS; number++)
    at.upstream.next(
      {},
      {
        usage: { inputTokens: 1_000 + number * 7, cachedTokens: number % 3 === 0 ? 333 : 0, outputTokens: 10 + number },
      },
    );
}

/** Each row once: one that arrives meanwhile moves others to the next page. */
async function readRows(): Promise<readonly LogRow[]> {
  const rows = new Map<number, LogRow>();
  for (let page = 1; ; page++) {
    const { items } = await at.testSite.logs({ username: user.username, type: 2, p: page, page_size: PAGE_SIZE });
    for (const row of items) rows.set(row.id, row);
    if (items.length < PAGE_SIZE) return [...rows.values()];
  }
}

it("reports by 1 000 mixed calls what the log rows and the statement have, to the last digit", async () => {
  planUsage();
  const replies: ChargedReply[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < CALLS) replies.push(await makeCall(begun++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const rows = await at.testSite.eventually("the rows of all calls", 60_000, async () => {
    const found = await readRows();
    return found.length >= CALLS ? found : undefined;
  });
  const reported = new Map(replies.map((reply) => [String(reply.headers["x-request-id"]), readCharge(reply)]));
  expect([rows.length, reported.size]).toEqual([CALLS, CALLS]);
  const differences = rows.filter(({ request_id: id, quota }) => reported.get(id) !== String(inDollars(quota)));
  expect(differences.map(({ request_id: id, quota }) => ({ id, quota, reported: reported.get(id) }))).toEqual([]);
  const sum = rows.reduce((total, { quota }) => total + quota, 0);
  const statement = await at.testSite.eventually("the statement of all calls", 30_000, async () => {
    const found = await user.client.get<{ spent_quota: number; uses: { request_count: number; quota: number }[] }>(
      "/api/user/statement",
    );
    return found.uses.reduce((total, use) => total + use.request_count, 0) >= CALLS ? found : undefined;
  });
  expect(statement.spent_quota).toBe(sum);
  expect(statement.uses.reduce((total, { quota }) => total + quota, 0)).toBe(sum);
}, 240_000);
