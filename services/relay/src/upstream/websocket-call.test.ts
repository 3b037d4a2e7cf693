import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createUpstreamClient, receiveResponse } from "./upstream-client.ts";
import type { OutgoingRequest } from "./upstream-call.ts";

const open: { server: Server; sockets: WebSocketServer }[] = [];

afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  }
});

/** An upstream that responds to each first message with `respond`, or refuses the handshake with 401. */
async function listen(respond: (socket: WebSocket, text: string) => void): Promise<string> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  open.push({ server, sockets });
  server.on("upgrade", (request, socket, head) => {
    if (request.url === "/refused") {
      return socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 16\r\n\r\n{"message":"no"}');
    }
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      accepted.on("message", (message: Buffer) => respond(accepted, message.toString("utf8"))),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const client = createUpstreamClient({ connectMs: 2_000 });
const send = (url: string, phases: Partial<OutgoingRequest> = {}) =>
  receiveResponse(
    client,
    { method: "POST", url, headers: {}, body: "question", firstByteMs: 2_000, idleMs: 2_000, ...phases },
    { bytesMax: 1_000_000, onCancel: () => undefined },
  );

describe("call over a WebSocket", () => {
  it("sends the body and returns each message as an event", async () => {
    const url = await listen((socket, text) => {
      socket.send(JSON.stringify({ heard: text }, undefined, 1));
      socket.send('{"b":2}');
      socket.close();
    });
    const { status, body } = await send(`${url}/v1/chat`);
    expect(status).toBe(200);
    expect(body.toString()).toBe('data: {  "heard": "question" }\n\ndata: {"b":2}\n\n');
  });

  it("returns a refused handshake as a response", async () => {
    const url = await listen(() => undefined);
    const { status, body } = await send(`${url}/refused`);
    expect({ status, body: body.toString() }).toEqual({ status: 401, body: '{"message":"no"}' });
  });

  it("fails if nothing listens, and if upstream stops responding", async () => {
    const url = await listen((socket) => socket.send("{}"));
    await expect(send(`${url}/v1/chat`, { idleMs: 30 })).rejects.toMatchObject({ name: "BodyTimeoutError" });
    await expect(send("ws://127.0.0.1:1/v1/chat")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
