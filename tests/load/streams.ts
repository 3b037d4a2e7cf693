import { Agent } from "undici";

export type StreamsResult = {
  readonly streams: number;
  readonly frames: number;
  readonly lost: number;
  readonly late: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
};

/** Opens streams at once and counts frames that did not arrive or arrived 100 ms or more after they were sent. */
export async function runStreams(
  target: { url: string; key: string; model: string },
  streams: number,
  framesEach: number,
): Promise<StreamsResult> {
  const agent = new Agent({ connections: streams });
  const delays: number[] = [];
  const url = new URL(target.url);
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      let rest = "";
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname,
          method: "POST",
          headers: { authorization: `Bearer ${target.key}`, "content-type": "application/json" },
          body: JSON.stringify({ model: target.model, stream: true, messages: [{ role: "user", content: "go" }] }),
        },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData(_, chunk) {
            const now = performance.timeOrigin + performance.now();
            rest += chunk.toString();
            const frames = rest.split("\n\n");
            rest = frames.pop() ?? "";
            for (const frame of frames) {
              const sentAt = /"content":"([\d.]+) "/.exec(frame)?.[1];
              if (sentAt !== undefined) delays.push(now - Number(sentAt));
            }
          },
          onResponseEnd: () => resolve(),
          onResponseError: () => resolve(),
        },
      );
    });
  await Promise.all(Array.from({ length: streams }, one));
  await agent.destroy();
  const sorted = delays.toSorted((a, b) => a - b);
  return {
    streams,
    frames: delays.length,
    lost: streams * framesEach - delays.length,
    late: delays.filter((delay) => delay >= 100).length,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    slowestMs: sorted.at(-1) ?? 0,
  };
}
