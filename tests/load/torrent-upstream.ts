/** An upstream with endless streams, sent as fast as they are read. `node torrent-upstream.ts <port>`. */
import { createServer } from "node:http";

const [port] = process.argv.slice(2);
const delta = { content: "a long piece of text ".repeat(200) };
const FRAME = `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "torrent", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;

createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  const pour = (): void => {
    while (!response.destroyed && response.write(FRAME));
    if (!response.destroyed) response.once("drain", pour);
  };
  pour();
}).listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
