import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, expect, it } from "vitest";
import { createExchange } from "../../core/call/exchange.ts";
import { disconnectSlowReaders } from "./slow-readers.ts";

const LIMIT_MS = 400;
const BYTES = 64 * 1024 * 1024;
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Opens a client of a server that responds as `respond` does; returns whether it was disconnected. */
async function openClient(respond: (response: ServerResponse) => void) {
  const state = { isDisconnected: false };
  const server = createServer((_, response) => {
    createExchange(response, "r").onDisconnect(() => (state.isDisconnected = true));
    respond(response);
  });
  disconnectSlowReaders(server, { limitMs: LIMIT_MS, log: createLogger("test", "silent") });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("POST / HTTP/1.1\r\nhost: relay\r\ncontent-length: 0\r\n\r\n");
  cleanUps.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { state, socket };
}
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it.each<[string, (response: ServerResponse) => void]>([
  ["a stream", (response) => void response.write(Buffer.alloc(BYTES))],
  ["a whole response", (response) => void response.end(Buffer.alloc(BYTES))],
])("disconnects a client that reads nothing of %s", async (_, respond) => {
  const { state, socket } = await openClient(respond);
  socket.pause();
  await expect.poll(() => state.isDisconnected, { timeout: 5_000 }).toBe(true);
});

it("disconnects a client that sends and does not read", async () => {
  const { state, socket } = await openClient((response) => void response.write(Buffer.alloc(BYTES)));
  socket.pause();
  const timer = setInterval(() => socket.write("P"), 50);
  cleanUps.push(() => clearInterval(timer));
  await expect.poll(() => state.isDisconnected, { timeout: 5_000 }).toBe(true);
});

it("disconnects a WebSocket's client that sends frames and does not read", async () => {
  const server = createServer();
  disconnectSlowReaders(server, { limitMs: LIMIT_MS, log: createLogger("test", "silent") });
  const closed = Promise.withResolvers<void>();
  server.on("upgrade", (_, upgraded: Socket) => {
    upgraded.on("error", () => undefined).on("close", closed.resolve);
    upgraded.resume().write(Buffer.alloc(BYTES));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined).pause();
  socket.write("GET / HTTP/1.1\r\nhost: relay\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  const timer = setInterval(() => socket.write("P"), 50);
  cleanUps.push(() => {
    clearInterval(timer);
    socket.destroy();
    server.close();
  });
  await closed.promise;
});

it("keeps a client that reads slowly", async () => {
  const { state, socket } = await openClient((response) => void response.end(Buffer.alloc(BYTES)));
  const readSome = (socket: Socket): void => {
    socket.resume();
    setTimeout(() => socket.pause(), 5);
  };
  socket.pause();
  for (let at = 0; at < 20; at++) {
    readSome(socket);
    await wait(LIMIT_MS / 5);
  }
  expect(state.isDisconnected).toBe(false);
});

it("keeps a client that waits for its response", async () => {
  const { state, socket } = await openClient((response) => {
    response.write("one");
    setTimeout(() => response.end("two"), LIMIT_MS * 4);
  });
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes("two")) break;
  }
  expect(state.isDisconnected).toBe(false);
});
