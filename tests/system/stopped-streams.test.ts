import { describe, expect, it } from "vitest";
import { createTokenizer } from "../../services/relay/src/accounting/tokens/tokenizer.ts";
import { ledgerCheck } from "../lib/ledger-check.ts";
import { useTestSite } from "../lib/test-site-world.ts";

const GRACE_SECONDS = 5;
const at = useTestSite({
  env: { SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS), GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
});
const POSTED_WITHIN_MS = 60_000;
const WORDS = /"(?:content|text)":"([^"]+)"/;

/** Reads a stream until the connection ends; `onRead` is called this long after the first text was read. */
async function readStream(path: string, body: object, { afterMs, onRead }: { afterMs: number; onRead: () => void }) {
  const { key } = await at.testSite.token();
  const response = await fetch(`${at.world.relayUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ ...body, stream: true, messages: [{ role: "user", content: "Count." }] }),
  });
  let text = "";
  let firstAtMs: number | undefined;
  let isDone = false;
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (firstAtMs === undefined && WORDS.test(text)) firstAtMs = performance.now();
      if (isDone || firstAtMs === undefined || performance.now() < firstAtMs + afterMs) continue;
      isDone = true;
      onRead();
    }
  } catch {
    // The relay was killed.
  }
  const words = [...text.matchAll(new RegExp(WORDS, "g"))].map(([, word]) => word ?? "");
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

describe.each([
  ["/v1/chat/completions", { model: "gpt-4o" }],
  ["/v1/messages", { model: "claude-3-5-sonnet-20241022", max_tokens: 5_000 }],
])("stream on %s of a killed relay", (path, body) => {
  it.each([
    [190, { text: ENGLISH, frameGapMs: 6 }],
    [290, { text: ENGLISH, frameGapMs: 6 }],
    // Short words, of which the quick estimate knows too few tokens.
    [290, { text: "it is so ".repeat(300), frameGapMs: 6 }],
    [700, { text: ENGLISH, frameGapMs: 6 }],
    [1_500, { text: ENGLISH, frameGapMs: 6 }],
    [6_000, { pieces: 2_000, frameGapMs: 15 }],
  ])(
    "is charged for at least 90 percent of the tokens sent (killed after %d ms)",
    async (afterMs, response) => {
      at.upstream.always({}, response);
      const { requestId, words } = await readStream(path, body, { afterMs, onRead: () => void at.world.kill("relay") });
      const row = await postedRow(requestId);
      const sent = await countTokens(words);
      console.log(`${row.completion_tokens} of ${sent} tokens charged`);
      expect(row.completion_tokens).toBeGreaterThanOrEqual(Math.floor(0.9 * sent));
      // An estimate until the tokenizer of the restarted relay has counted a sample.
      expect(row.completion_tokens).toBeLessThanOrEqual(Math.ceil(1.4 * sent));
      await at.world.waitReady("relay");
      await ledgerCheck(at.world);
    },
    120_000,
  );
});

it.each([
  ["/v1/chat/completions", { model: "gpt-4o" }, '"error":{'],
  ["/v1/messages", { model: "claude-3-5-sonnet-20241022", max_tokens: 5_000 }, "event: error"],
])(
  "ends a stream on %s that outlives a deploy with an error event, and charges what was sent",
  async (path, body, errorText) => {
    at.upstream.always({}, { pieces: 5_000, frameGapMs: 15 });
    const startedAt = { ms: 0 };
    const { requestId, text, words } = await readStream(path, body, {
      afterMs: 600,
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
