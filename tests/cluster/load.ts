import { Agent, request } from "undici";

/** A call that did not end as it should. */
export type Failure = { readonly at: string; readonly stream: boolean; readonly what: string };
export type LoadResult = { readonly answered: readonly string[]; readonly failures: readonly Failure[] };

type Options = { readonly url: string; readonly key: string; readonly perSecond: number };

const CALL_MS = 60_000;

/** So many calls a second, every other one a stream, over kept connections, until it is stopped. */
export function startLoad({ url, key, perSecond }: Options) {
  const agent = new Agent({ connections: 256, pipelining: 1 });
  const answered: string[] = [];
  const failures: Failure[] = [];
  const running = new Set<Promise<void>>();
  let count = 0;

  const call = async (stream: boolean): Promise<void> => {
    const at = new Date().toISOString();
    try {
      const answer = await request(`${url}/v1/chat/completions`, {
        method: "POST",
        dispatcher: agent,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: stream ? "gpt-4o" : "gpt-4o-mini",
          stream,
          messages: [{ role: "user", content: "hi" }],
        }),
        signal: AbortSignal.timeout(CALL_MS),
      });
      const text = await answer.body.text();
      const isWhole = stream ? text.includes("[DONE]") : text.includes('"choices"');
      if (answer.statusCode === 200 && isWhole) answered.push(String(answer.headers["x-request-id"]));
      else failures.push({ at, stream, what: `${answer.statusCode} ${text.slice(-200)}` });
    } catch (error) {
      failures.push({ at, stream, what: error instanceof Error ? `${error.name} ${error.message}` : String(error) });
    }
  };
  const timer = setInterval(() => {
    const one = call(count++ % 2 === 0);
    running.add(one);
    void one.finally(() => running.delete(one));
  }, 1_000 / perSecond);

  return {
    failures: (): number => failures.length,
    async stop(): Promise<LoadResult> {
      clearInterval(timer);
      await Promise.all(running);
      await agent.close();
      return { answered, failures };
    },
  };
}
