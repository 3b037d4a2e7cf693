import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false", TRUSTED_PROXIES: "127.0.0.1" } });

const FLOOD_CALLS = 1_000;
const FLOOD_CONCURRENCY = 32;
const GOOD_CALLS = 50;
const TRIES = 4;

let key = "";
beforeAll(async () => {
  ({ key } = await at.testSite.token());
  at.upstream.always({}, { pieces: 2 });
});

type Reply = { readonly status: number; readonly retryAfter: string | null; readonly ms: number };

async function call(bearer: string, address: string): Promise<Reply> {
  const startedAt = performance.now();
  const response = await fetch(`${at.world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      "x-forwarded-for": address,
    },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] }),
  });
  await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    ms: performance.now() - startedAt,
  };
}

const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(Math.random() * 10)).join("");

/** Calls with unknown keys. */
async function flood(getAddress: (index: number) => string): Promise<Reply[]> {
  const replies: Reply[] = [];
  let started = 0;
  const caller = async (): Promise<void> => {
    while (started < FLOOD_CALLS) replies.push(await call(`sk-${digits(48)}`, getAddress(started++)));
  };
  await Promise.all(Array.from({ length: FLOOD_CONCURRENCY }, caller));
  return replies;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** As clients do: a machine that has no time for Redis refuses a call with 503, which is tried again. */
async function callPatiently(): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await call(key, "203.0.113.9");
    if (reply.status !== 503 || tries === TRIES) return reply;
  }
}

/** One good caller, one call after the other. */
async function callWell(): Promise<{ statuses: number[]; ms: number }> {
  const replies: Reply[] = [];
  for (let count = 0; count < GOOD_CALLS; count++) replies.push(await callPatiently());
  return { statuses: [...new Set(replies.map(({ status }) => status))], ms: median(replies.map(({ ms }) => ms)) };
}

describe("a flood of unknown keys", () => {
  it.each<[string, (index: number) => string]>([
    ["one address", () => "198.51.100.7"],
    ["many addresses", (index) => `198.18.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`],
  ])(
    "from %s is refused with 401, or with 429 and Retry-After, and good callers are served",
    async (_, getAddress) => {
      const alone = await callWell();
      const flooding = flood(getAddress);
      const during = await callWell();
      const replies = await flooding;
      expect([alone.statuses, during.statuses]).toEqual([[200], [200]]);
      const counts = Object.entries(Object.groupBy(replies, ({ status }) => status));
      console.log(
        `${counts.map(([status, all = []]) => `${all.length} with ${status}`).join(", ")}; ` +
          `a good call takes ${alone.ms.toFixed(1)} ms alone, ${(during.ms / alone.ms).toFixed(2)} × of it during the flood`,
      );
      // Never 503, and with a time at which a refused address may try again.
      const isRefused = ({ status, retryAfter }: Reply): boolean =>
        status === 401 || (status === 429 && Number(retryAfter) > 0);
      expect(replies.filter((reply) => !isRefused(reply))).toEqual([]);
    },
    120_000,
  );

  it("does not keep a token from working that was created a moment ago", async () => {
    await flood((index) => `198.18.0.${(index % 250) + 1}`);
    const { key: fresh } = await at.testSite.token();
    expect((await call(fresh, "203.0.113.10")).status).toBe(200);
  }, 60_000);
});
