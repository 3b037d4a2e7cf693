import { expect, it } from "vitest";
import { createTokenizer } from "../../../services/relay/src/accounting/tokens/tokenizer.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const GRACE_SECONDS = 5;
const at = useTestSite({
  env: { SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS), GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
});
const POSTED_WITHIN_MS = 60_000;
const WORDS = /"(?:content|text|delta)":"([^"]+)"/;
const MESSAGES = [{ role: "user", content: "Count." }];
const GEMINI = "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse";
const CHAT_BODY = { model: "gpt-4o", stream: true, messages: MESSAGES };
const CLAUDE_BODY = { model: "claude-3-5-sonnet-20241022", max_tokens: 5_000, stream: true, messages: MESSAGES };
const RESPONSES_BODY = { model: "gpt-4o", stream: true, input: "Count." };
const GEMINI_BODY = { contents: [{ role: "user", parts: [{ text: "Count." }] }] };

/** Reads a stream until the connection ends; `onRead` is called this long after the first text was read. */
async function readStream(path: string, body: object, { afterMs, onRead }: { afterMs: number; onRead: () => void }) {
  const { key } = await at.testSite.token();
  const response = await fetch(`${at.world.relayUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
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

/** Streams of every dialect; the quick estimate knows too many tokens of long words, and too few of short ones. */
const STREAMS: readonly (readonly [path: string, body: object])[] = [
  ["/v1/chat/completions", CHAT_BODY],
  ["/v1/chat/completions", { ...CHAT_BODY, model: "gpt-4o-mini" }],
  ["/v1/responses", RESPONSES_BODY],
  ["/v1/messages", CLAUDE_BODY],
  [GEMINI, GEMINI_BODY],
];

/** Kills the relay this long after each stream began; the tokens of each that were sent and charged. */
async function killDuringStreams(afterMs: number): Promise<{ sent: number; charged: number }[]> {
  let running = STREAMS.length;
  const onRead = (): void => void (--running === 0 && at.world.kill("relay"));
  const streams = await Promise.all(STREAMS.map(([path, body]) => readStream(path, body, { afterMs, onRead })));
  const counted = [];
  for (const { requestId, words } of streams) {
    const [row, sent] = [await postedRow(requestId), await countTokens(words)];
    console.log(`${row.completion_tokens} of ${sent} tokens charged`);
    counted.push({ sent, charged: row.completion_tokens });
  }
  await at.world.waitReady("relay");
  await ledgerCheck(at.world);
  return counted;
}

/** In a young stream, two events that a stall of the machine hides from the relay are more than its share. */
const isYoung = (ageMs: number): boolean => ageMs < 500;
const KILLS_OF_YOUNG = 3;

it.each([190, 290, 700, 1_500, 5_000])(
  "charges the streams of a killed relay for at least 90 percent of the tokens sent (after %d ms)",
  async (afterMs) => {
    at.upstream.always({}, { text: ENGLISH, frameGapMs: 6 });
    for (const model of ["gpt-4o-mini", "gemini-2.0-flash"])
      at.upstream.always({ model }, { text: "it is so ".repeat(700), frameGapMs: 6 });
    let killsLeft = isYoung(afterMs) ? KILLS_OF_YOUNG : 1;
    let tooLittle: { sent: number; charged: number }[] = [];
    do {
      const counted = await killDuringStreams(afterMs);
      // An estimate until the tokenizer of the restarted relay has counted a sample.
      for (const { sent, charged } of counted) expect(charged).toBeLessThanOrEqual(Math.ceil(1.4 * sent));
      tooLittle = counted.filter(({ sent, charged }) => charged < Math.floor(0.9 * sent));
    } while (tooLittle.length > 0 && --killsLeft > 0);
    expect(tooLittle).toEqual([]);
  },
  180_000,
);

it.each([
  ["/v1/chat/completions", CHAT_BODY, '"error":{'],
  ["/v1/messages", CLAUDE_BODY, "event: error"],
  ["/v1/responses", RESPONSES_BODY, "event: response.failed"],
  [GEMINI, GEMINI_BODY, '"error":{'],
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
