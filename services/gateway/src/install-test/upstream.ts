import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
const WORDS = ["The ", "install ", "works."];
const BODY_MAX = 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > BODY_MAX) throw new Error("the body is too large");
  }
  return JSON.parse(text) as Record<string, unknown>;
}

function sendStream(response: ServerResponse, model: unknown): void {
  const base = { id: "chatcmpl-install-test", object: "chat.completion.chunk", created: 0, model };
  const send = (fields: object): void => void response.write(`data: ${JSON.stringify({ ...base, ...fields })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of WORDS)
    send({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  send({ choices: [], usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function sendWhole(response: ServerResponse, model: unknown): void {
  const message = { role: "assistant", content: WORDS.join("") };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const body = { id: "chatcmpl-install-test", object: "chat.completion", created: 0, model, choices, usage: USAGE };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Serves chat in OpenAI's format with one fixed response, to callers with `key` only. */
export async function startUpstream({ port, key }: { port: number; key: string }) {
  let calls = 0;
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      if (request.headers.authorization !== `Bearer ${key}`) return void response.writeHead(401).end();
      const { model, stream } = await readBody(request);
      calls++;
      (stream === true ? sendStream : sendWhole)(response, model);
    };
    serve().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
