import { randomUUID } from "node:crypto";

/** One call as its client saw it. `quota` is its expected cost if it was served. */
export type CallResult = {
  readonly requestId: string;
  readonly status: number;
  readonly outcome: "served" | "refused" | "cut";
  readonly quota: number;
  /** When the client sent it, and how long it took. */
  readonly startedAtMs: number;
  readonly tookMs: number;
  /** Earlier attempts that ended without a response: they may have been served. */
  readonly lost: number;
  /** What must never happen, such as a repeat that is no repeat. */
  readonly problem?: string;
};

type Options = {
  readonly url: string;
  readonly key: string;
  /** Keys of several users, who call in turn; in place of `key`. */
  readonly keys?: readonly string[];
  readonly count: number;
  /** How many calls run at once, each started when another one ends; ignored with `overMs`. */
  readonly concurrency?: number;
  readonly stream?: boolean;
  /** An open loop: calls start at fixed times within this time, whether or not others have ended. */
  readonly overMs?: number;
  /** How often a call refused with 503 is retried, once per second. */
  readonly patience?: number;
  /** Makes every second call a stream, whatever the value of `stream`. */
  readonly mixed?: boolean;
  /** Every n-th call has an idempotency key: it is repeated until it is served, and once more afterwards. */
  readonly keyedEvery?: number;
  /** No call starts after this time. */
  readonly untilMs?: number;
};

const PROMPT = "Say hello to the nice people of the turnpike.";

/**
 * gpt-4o: ratio 1.25, completion 4. The upstream double counts a quarter of the prompt's characters and one token per
 * word.
 */
const getCost = (usage: { prompt_tokens: number; completion_tokens: number }): number =>
  Math.max(1, Math.round((usage.prompt_tokens + usage.completion_tokens * 4) * 1.25));

function usageIn(text: string): { prompt_tokens: number; completion_tokens: number } | undefined {
  const match = /"usage":(\{[^}]*\})/.exec(
    text.replaceAll(/"(prompt|completion)_tokens_details":\{[^}]*\},?/g, "").replaceAll(",}", "}"),
  );
  return match?.[1] === undefined
    ? undefined
    : (JSON.parse(match[1]) as { prompt_tokens: number; completion_tokens: number });
}

type Outcome = Omit<CallResult, "startedAtMs" | "tookMs" | "lost" | "problem"> & { readonly isReplay: boolean };
type OneCall = Options & { readonly idempotencyKey?: string };

async function send({ url, key, stream = false, idempotencyKey }: OneCall): Promise<Outcome> {
  let requestId = "";
  let status = 0;
  let isReplay = false;
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
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
    isReplay = response.headers.get("idempotent-replayed") === "true";
    const text = await response.text();
    if (status !== 200) return { requestId, status, outcome: "refused", quota: 0, isReplay };
    const usage = usageIn(text);
    if (!usage || (stream && !text.includes("[DONE]")))
      return { requestId, status, outcome: "cut", quota: 0, isReplay };
    return { requestId, status, outcome: "served", quota: getCost(usage), isReplay };
  } catch {
    return { requestId, status, outcome: requestId === "" ? "refused" : "cut", quota: 0, isReplay };
  }
}

async function once(options: OneCall): Promise<CallResult & { readonly isReplay: boolean }> {
  const startedAtMs = Date.now();
  const outcome = await send(options);
  return { ...outcome, startedAtMs, tookMs: Date.now() - startedAtMs, lost: 0 };
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const isPast = ({ untilMs = Number.POSITIVE_INFINITY }: Options): boolean => Date.now() >= untilMs;

async function patiently(options: Options): Promise<CallResult> {
  let lost = 0;
  for (let left = options.patience ?? 0; ; left--) {
    const result = await once(options);
    if (result.outcome !== "refused" || left <= 0 || isPast(options)) return { ...result, lost };
    if (result.requestId === "") lost++;
    await pause(1_000);
  }
}

const REPEATS_MAX = 20;
const CONFLICT = 409;

/**
 * A call with an idempotency key, as a careful client makes it: repeated until it has a response, which must stay the same.
 * Returns all attempts.
 */
async function withKey(options: Options): Promise<CallResult[]> {
  const call: OneCall = { ...options, idempotencyKey: randomUUID() };
  const attempts: CallResult[] = [];
  for (let repeat = 0; repeat <= REPEATS_MAX; repeat++) {
    const attempt = await once(call);
    attempts.push(attempt);
    if (attempt.outcome !== "served") {
      // Its relay died, and its fate is unknown.
      if (attempt.status === CONFLICT) return attempts;
      await pause(1_000);
      continue;
    }
    const again = await once(call);
    const isSame = again.outcome !== "served" || (again.isReplay && again.requestId === attempt.requestId);
    attempts.push(isSame ? again : { ...again, problem: `a repeat of ${attempt.requestId} ran again` });
    return attempts;
  }
  return attempts;
}

/** Makes calls, with a fixed concurrency or at fixed times, and returns how each ended; of calls with a key each attempt. */
export async function runCalls(options: Options): Promise<CallResult[]> {
  const { count, overMs, keys = [options.key], keyedEvery = Number.POSITIVE_INFINITY } = options;
  const run = async (index: number): Promise<CallResult[]> => {
    const stream = options.mixed === true ? index % 2 === 1 : options.stream === true;
    const call = { ...options, stream, key: keys[index % keys.length] ?? options.key };
    // Plain calls and streams alike: keyedEvery may be even.
    return Math.floor(index / 2) % keyedEvery === keyedEvery - 1 ? withKey(call) : [await patiently(call)];
  };
  if (overMs !== undefined) return runOpenLoop({ count, overMs, run, isPast: () => isPast(options) });
  const results: CallResult[] = [];
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < count && !isPast(options)) results.push(...(await run(started++)));
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 1 }, worker));
  return results;
}

/** A closed loop sends less while responses are slow, which hides what real clients see. */
async function runOpenLoop(load: {
  readonly count: number;
  readonly overMs: number;
  readonly run: (index: number) => Promise<CallResult[]>;
  readonly isPast: () => boolean;
}): Promise<CallResult[]> {
  const startedAt = Date.now();
  const running: Promise<CallResult[]>[] = [];
  for (let index = 0; index < load.count && !load.isPast(); index++) {
    const waitMs = startedAt + (index * load.overMs) / load.count - Date.now();
    if (waitMs > 0) await pause(waitMs);
    running.push(load.run(index));
  }
  return (await Promise.all(running)).flat();
}
