/** One call as its client saw it. `quota` is its expected cost if it was served. */
export type CallResult = {
  readonly requestId: string;
  readonly status: number;
  readonly outcome: "answered" | "refused" | "cut";
  readonly quota: number;
};

type Options = {
  readonly url: string;
  readonly key: string;
  readonly count: number;
  readonly concurrency: number;
  readonly stream?: boolean;
  /** Spreads the calls over that time. */
  readonly overMs?: number;
  /** How often a call refused with 503 is retried, once per second. */
  readonly patience?: number;
  /** No call starts after this time. */
  readonly untilMs?: number;
};

const PROMPT = "Say hello to the nice people of the turnpike.";

/**
 * gpt-4o: ratio 1.25, completion 4. The upstream double counts a quarter of the prompt's characters and one token per
 * word.
 */
const costOf = (usage: { prompt_tokens: number; completion_tokens: number }): number =>
  Math.max(1, Math.round((usage.prompt_tokens + usage.completion_tokens * 4) * 1.25));

function usageIn(text: string): { prompt_tokens: number; completion_tokens: number } | undefined {
  const match = /"usage":(\{[^}]*\})/.exec(
    text.replaceAll(/"(prompt|completion)_tokens_details":\{[^}]*\},?/g, "").replaceAll(",}", "}"),
  );
  return match?.[1] === undefined
    ? undefined
    : (JSON.parse(match[1]) as { prompt_tokens: number; completion_tokens: number });
}

async function once({ url, key, stream = false }: Options): Promise<CallResult> {
  let requestId = "";
  let status = 0;
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "gpt-4o",
        stream,
        ...(stream ? { stream_options: { include_usage: true } } : {}),
        messages: [{ role: "user", content: PROMPT }],
      }),
      signal: AbortSignal.timeout(60_000),
    });
    status = response.status;
    requestId = response.headers.get("x-request-id") ?? "";
    const text = await response.text();
    if (status !== 200) return { requestId, status, outcome: "refused", quota: 0 };
    const usage = usageIn(text);
    if (!usage || (stream && !text.includes("[DONE]"))) return { requestId, status, outcome: "cut", quota: 0 };
    return { requestId, status, outcome: "answered", quota: costOf(usage) };
  } catch {
    return { requestId, status, outcome: requestId === "" ? "refused" : "cut", quota: 0 };
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const isPast = ({ untilMs = Number.POSITIVE_INFINITY }: Options): boolean => Date.now() >= untilMs;

async function patiently(options: Options): Promise<CallResult> {
  for (let left = options.patience ?? 0; ; left--) {
    const result = await once(options);
    if (result.outcome !== "refused" || left <= 0 || isPast(options)) return result;
    await pause(1_000);
  }
}

/** Makes calls with a fixed concurrency and returns how each ended. */
export async function runCalls(options: Options): Promise<CallResult[]> {
  const results: CallResult[] = [];
  const gapMs = options.overMs === undefined ? 0 : (options.overMs * options.concurrency) / options.count;
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started++ < options.count && !isPast(options)) {
      results.push(await patiently(options));
      if (gapMs > 0) await pause(gapMs);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return results;
}
