import { expect, it } from "vitest";
import { createTokenizer } from "../../services/relay/src/accounting/tokens/tokenizer.ts";
import { ledgerCheck } from "../lib/ledger-check.ts";
import { useTestSite } from "../lib/test-site-world.ts";

const GRACE_SECONDS = 5;
const at = useTestSite({
  env: { SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS), GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
});
const POSTED_WITHIN_MS = 60_000;

/** Reads a stream until its end, or until `until` frames were read and `onRead` was called and the connection ended. */
async function readStream(path: string, body: object, { until, onRead }: { until: number; onRead: () => void }) {
  const { key } = await at.testSite.token();
  const response = await fetch(`${at.world.relayUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ ...body, stream: true, messages: [{ role: "user", content: "Count." }] }),
  });
  let text = "";
  let isDone = false;
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (isDone || text.split("\n\n").length <= until) continue;
      isDone = true;
      onRead();
    }
  } catch {
    // The relay was killed.
  }
  const words = [...text.matchAll(/"(?:content|text)":"([^"]+)"/g)].map(([, word]) => word ?? "");
  return { requestId: response.headers.get("x-request-id") ?? "", text, words };
}
const countTokens = async (words: readonly string[]): Promise<number> => {
  const [tokens = 0] = await createTokenizer().count([words.join("")]);
  return tokens;
};
const postedRow = (requestId: string) =>
  at.testSite.eventually(`the row of ${requestId}`, POSTED_WITHIN_MS, async () => {
    return (await at.testSite.logs({ request_id: requestId, type: 2 }).catch(() => undefined))?.items[0];
  });

const ENGLISH = "the people of this town were happy and sang about rivers ".repeat(100);

const FRAME_GAP_MS = 15;
/** The progress of a stream is stored with this delay, which counts for a stream that has just begun. */
const DELAYED_FRAMES = Math.ceil(100 / FRAME_GAP_MS);

it.each([
  [40, { text: ENGLISH }, DELAYED_FRAMES],
  [150, { pieces: 2_000 }, 0],
  [400, { pieces: 2_000 }, 0],
])(
  "charges a stream of a killed relay for at least 90 percent of the tokens sent, after %d frames",
  async (until, response, delayed) => {
    at.upstream.always({}, { ...response, frameGapMs: FRAME_GAP_MS });
    const { requestId, words } = await readStream(
      "/v1/chat/completions",
      { model: "gpt-4o" },
      {
        until,
        onRead: () => void at.world.kill("relay"),
      },
    );
    expect(words.length).toBeGreaterThan(until - 5);
    const row = await postedRow(requestId);
    const expected = 0.9 * (await countTokens(words.slice(0, words.length - delayed)));
    expect(row.completion_tokens).toBeGreaterThanOrEqual(expected);
    expect(row.quota).toBeGreaterThanOrEqual(1.25 * 4 * expected);
    await at.world.waitReady("relay");
    await ledgerCheck(at.world);
  },
  120_000,
);

it.each([
  ["/v1/chat/completions", { model: "gpt-4o" }, '"error":{'],
  ["/v1/messages", { model: "claude-3-5-sonnet-20241022", max_tokens: 5_000 }, "event: error"],
])(
  "ends a stream on %s that outlives a deploy with an error event, and charges what was sent",
  async (path, body, errorText) => {
    at.upstream.always({}, { pieces: 5_000, frameGapMs: 15 });
    const startedAt = { ms: 0 };
    const { requestId, text, words } = await readStream(path, body, {
      until: 40,
      onRead: () => {
        startedAt.ms = Date.now();
        at.world.kill("relay", "SIGTERM");
      },
    });
    const tookMs = Date.now() - startedAt.ms;
    expect(text).toContain(errorText);
    expect(tookMs).toBeLessThan((GRACE_SECONDS - 1) * 1_000);
    const row = await postedRow(requestId);
    expect(row.completion_tokens).toBeGreaterThanOrEqual(0.9 * (await countTokens(words)));
    expect(JSON.parse(row.other)).not.toHaveProperty("recovered");
    await at.world.waitReady("relay");
    await ledgerCheck(at.world);
  },
  120_000,
);
