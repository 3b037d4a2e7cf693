/**
 * An upstream whose streams send one frame every so many milliseconds; every frame contains its send time. `node
 * paced-upstream.ts <port> <frames> <gap ms>`.
 */
import { createServer } from "node:http";

const [port, frameCount, gapMs] = process.argv.slice(2);
const frames = Number(frameCount);
const now = (): number => performance.timeOrigin + performance.now();

const chunk = (fields: object): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "paced", ...fields })}\n\n`;
const usage = { prompt_tokens: 10, completion_tokens: frames, total_tokens: frames + 10 };
const END = `${chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}${chunk({ choices: [], usage })}data: [DONE]\n\n`;

createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent++ < frames) {
      response.write(chunk({ choices: [{ index: 0, delta: { content: `${now()} ` }, finish_reason: null }] }));
      return;
    }
    clearInterval(timer);
    response.end(END);
  }, Number(gapMs));
  response.once("close", () => clearInterval(timer));
}).listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
