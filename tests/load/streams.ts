import { createServer, type Server } from "node:http";
import { Agent } from "undici";

const FRAME_GAP_MS = 20;

/** An upstream whose streams pace one frame each 20 ms; every frame says when it was sent. */
export async function startPacedUpstream(port: number, frames: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < frames) {
        const delta = { content: `${performance.timeOrigin + performance.now()} ` };
        response.write(
          `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "paced", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
        );
        return;
      }
      clearInterval(timer);
      const usage = { prompt_tokens: 10, completion_tokens: frames, total_tokens: frames + 10 };
      response.write(
        `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "paced", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`,
      );
      response.end(
        `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "paced", choices: [], usage })}\n\ndata: [DONE]\n\n`,
      );
    }, FRAME_GAP_MS);
    response.once("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

export type StreamsResult = {
  readonly streams: number;
  readonly frames: number;
  readonly lost: number;
  readonly late: number;
  readonly p99Ms: number;
};

/** Opens streams at once and counts frames that did not come or came 100 ms or more after they were sent. */
export async function runStreams(
  target: { url: string; key: string },
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
          body: JSON.stringify({ model: "paced", stream: true, messages: [{ role: "user", content: "go" }] }),
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
  };
}
