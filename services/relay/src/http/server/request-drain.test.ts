import { Agent, createServer, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { drainRequestBody } from "./request-drain.ts";

/** Refuses every call before its body. */
const server = createServer((request, response) => {
  response.writeHead(401, { "content-length": "7" });
  response.end("refused");
  drainRequestBody(request, response);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Sends a body; returns the status and the client's port, or the failure. */
function post(agent: Agent, headers: Record<string, string>, body: Buffer): Promise<{ status: number; port: number }> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const call = send({ port, host: "127.0.0.1", method: "POST", headers, agent }, (response) => {
      const from = response.socket.localPort ?? 0;
      response.resume().once("end", () => resolve({ status: response.statusCode ?? 0, port: from }));
    });
    call.once("error", reject);
    call.end(body);
  });
}

it("keeps the connection of a refused call whose body is small", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = Buffer.alloc(300_000, "x");
  const responses = [];
  for (let call = 0; call < 3; call++)
    responses.push(await post(agent, { "content-length": String(body.length) }, body));
  agent.destroy();
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(new Set(responses.map(({ port }) => port)).size).toBe(1);
});

it("keeps the connection of a refused call that has no body", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo;
  const get = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const call = send({ port, host: "127.0.0.1", agent }, (response) => {
        const from = response.socket.localPort ?? 0;
        response.resume().once("end", () => resolve(from));
      });
      call.once("error", reject).end();
    });
  const ports = [await get(), await get(), await get()];
  agent.destroy();
  expect(new Set(ports).size).toBe(1);
});

it.each<[string, Record<string, string>]>([
  ["is too large to drain", { "content-length": "3000000" }],
  ["has no known length", { "transfer-encoding": "chunked" }],
])("responds to a call whose body %s, and closes its connection", async (_, headers) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo;
  const seen = await new Promise<string[]>((resolve) => {
    const events: string[] = [];
    const call = send({ port, host: "127.0.0.1", method: "POST", headers, agent });
    call.once("response", (response) => {
      events.push(String(response.statusCode));
      response.resume();
    });
    call.once("error", () => undefined);
    call.once("close", () => resolve([...events, "closed"]));
    // The remaining bytes are never sent.
    call.write("x".repeat(1_000));
  });
  agent.destroy();
  expect(seen).toEqual(["401", "closed"]);
});

it.each(["keep-alive", "close"])("lets a client that keeps sending read the response (%s)", async (connection) => {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const seen = new Promise<string>((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.once("error", reject).once("end", () => resolve(text));
  });
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\ncontent-length: 90000000\r\n\r\n`);
  // More than the buffers of both ends hold.
  for (let sent = 0; sent < 20; sent++) {
    if (!socket.write(Buffer.alloc(1_000_000))) await new Promise((resolve) => socket.once("drain", resolve));
  }
  expect(await seen).toMatch(/^HTTP\/1\.1 401 .*refused$/s);
  socket.destroy();
});
