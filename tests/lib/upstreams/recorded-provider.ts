import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { WebSocketServer } from "ws";

const PROVIDERS = resolve(import.meta.dirname, "../../../services/relay/src/providers");

export type SentRequest = {
  readonly method: string;
  /** Raw path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** A provider's behaviour for one channel. */
export type Recorded = {
  /** Name of the recorded responses to send. */
  readonly folder: string;
  /** What is wrong with a request; undefined if it is valid. */
  readonly problem: (request: SentRequest) => string | undefined;
  /** Other calls it serves, such as a token request; undefined if it is none of them. */
  readonly aside?: (request: SentRequest) => object | undefined;
};

function responseBytes(folder: string, stream: boolean): Buffer {
  const at = (ending: string): string => `${PROVIDERS}/${folder}/__fixtures__/text.${ending}`;
  const streamed = ["chunks.txt", "chunks.bin"].map(at).find((path) => existsSync(path));
  return readFileSync(stream && streamed !== undefined ? streamed : at("json"));
}

const requestsStream = ({ target, body }: SentRequest): boolean =>
  body["stream"] === true ||
  body["Stream"] === true ||
  body["response_mode"] === "streaming" ||
  /alt=sse|-response-stream|sse-invoke/.test(target);

async function read(request: IncomingMessage): Promise<SentRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const isJson = text.startsWith("{");
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { method: request.method ?? "", target: request.url ?? "/", headers, text, body };
}

/**
 * Starts a server that sends the recorded responses of a channel's provider if the request is valid, and 418 with the
 * reason if not.
 */
export async function startRecordedProvider(recorded: Recorded) {
  const problems: string[] = [];
  const result = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await read(message);
    const aside = recorded.aside?.(request);
    if (aside) return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(aside));
    const problem = recorded.problem(request);
    if (problem !== undefined) {
      problems.push(problem);
      return void response.writeHead(418, { "content-type": "application/json" }).end(JSON.stringify({ problem }));
    }
    const stream = requestsStream(request);
    const type = recorded.folder === "bedrock" ? "application/vnd.amazon.eventstream" : "text/event-stream";
    const hasStream = stream && recorded.folder !== "palm";
    response.writeHead(200, { "content-type": hasStream ? type : "application/json" });
    response.end(responseBytes(recorded.folder, stream));
  };
  const server = createServer((request, response) => void result(request, response).catch(() => response.destroy()));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, upgrade) => {
    socket.once("message", (data: Buffer) => {
      const text = data.toString("utf8");
      const headers = Object.fromEntries(Object.entries(upgrade.headers).map(([name, value]) => [name, String(value)]));
      const body = JSON.parse(text) as Record<string, unknown>;
      const problem = recorded.problem({ method: "GET", target: upgrade.url ?? "/", headers, text, body });
      if (problem !== undefined) {
        problems.push(problem);
        return socket.close();
      }
      const frames = responseBytes(recorded.folder, true).toString("utf8").split("\n\n");
      for (const frame of frames) if (frame.startsWith("data: ")) socket.send(frame.slice("data: ".length));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    problems,
    async stop(): Promise<void> {
      sockets.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
