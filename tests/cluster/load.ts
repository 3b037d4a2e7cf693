import { Agent, request } from "undici";

/** A call that did not end as expected. */
export type Failure = { readonly at: string; readonly to: string; readonly stream: boolean; readonly what: string };
export type LoadResult = {
  readonly requestIds: readonly string[];
  readonly streams: number;
  readonly failures: readonly Failure[];
  /** Requests that were sent again because their connection was closed before a response. */
  readonly resent: number;
  /** The 99th percentile of non-streaming calls, in milliseconds. */
  readonly p99Ms: number;
};

type Options = { readonly urls: readonly string[]; readonly key: string; readonly perSecond: number };

const CALL_MS = 60_000;
const TICK_MS = 10;
const CONNECTIONS_MAX = 1_024;
/** A server may close an idle connection while a request is on its way: every client sends that one again, and so does this. */
const CLOSED_CODES: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
/** Models of the test: one with streams of five seconds, one with immediate responses. */
export const MODELS = { stream: "gpt-4o", plain: "gpt-4o-mini" } as const;

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.name} ${error.message}${cause}`;
};

/**
 * Sends a fixed number of calls per second until stopped, every other one a stream, to the addresses in turn, over
 * kept-alive connections.
 */
export function startLoad({ urls, key, perSecond }: Options) {
  const agent = new Agent({ connections: CONNECTIONS_MAX, pipelining: 1 });
  const requestIds: string[] = [];
  const failures: Failure[] = [];
  const plainMs: number[] = [];
  const running = new Set<Promise<void>>();
  let streams = 0;
  let count = 0;
  let resent = 0;

  const send = (url: string, stream: boolean) =>
    request(`${url}/v1/chat/completions`, {
      method: "POST",
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: stream ? MODELS.stream : MODELS.plain,
        stream,
        messages: [{ role: "user", content: "hi" }],
      }),
      signal: AbortSignal.timeout(CALL_MS),
    });
  const sendAgainIfClosed = (url: string, stream: boolean) =>
    send(url, stream).catch((error: Error & { code?: unknown }) => {
      if (!CLOSED_CODES.has(error.code)) throw error;
      resent++;
      return send(url, stream);
    });
  const call = async (url: string, stream: boolean): Promise<void> => {
    const startedAtMs = Date.now();
    const fail = (what: string): void =>
      void failures.push({ at: new Date(startedAtMs).toISOString(), to: url, stream, what });
    try {
      const response = await sendAgainIfClosed(url, stream);
      const text = await response.body.text();
      const isWhole = stream ? text.includes("[DONE]") : text.includes('"choices"');
      if (response.statusCode !== 200 || !isWhole) return fail(`${response.statusCode} ${text.slice(-200)}`);
      requestIds.push(String(response.headers["x-request-id"]));
      if (stream) streams++;
      else plainMs.push(Date.now() - startedAtMs);
    } catch (error) {
      fail(`${describe(error)} after ${Date.now() - startedAtMs} ms`);
    }
  };
  const callNext = (): void => {
    const url = urls[Math.floor(count / 2) % urls.length] ?? "";
    const one = call(url, count++ % 2 === 0);
    running.add(one);
    void one.finally(() => running.delete(one));
  };
  const startedAtMs = Date.now();
  // Timers run late on a busy machine: missed calls are sent immediately.
  const timer = setInterval(() => {
    const due = Math.floor(((Date.now() - startedAtMs) * perSecond) / 1_000);
    while (count < due) callNext();
  }, TICK_MS);

  return {
    failures: (): number => failures.length,
    responses: (): number => requestIds.length,
    async stop(): Promise<LoadResult> {
      clearInterval(timer);
      await Promise.all(running);
      await agent.close();
      const p99Ms = plainMs.toSorted((a, b) => a - b)[Math.floor(plainMs.length * 0.99)] ?? 0;
      return { requestIds, streams, failures, resent, p99Ms };
    },
  };
}
