import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

const READERS = 12;
const MEBIBYTE = 1024 * 1024;
/** Size of each stream if it were read. */
const STREAM_BYTES = 40 * MEBIBYTE;
const SHORT_BYTES = MEBIBYTE;
/** Kernel buffers of a stream's two connections, and the relay's own buffers. */
const IN_BETWEEN_BYTES = 24 * MEBIBYTE;
/** Far below the total size of the streams: 480 MiB. */
const MEMORY_GROWTH_BYTES = 200 * MEBIBYTE;

const text = "some words ".repeat(400);
const FRAME = Buffer.from(
  `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`,
);
const USAGE = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 };
const END = [
  { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { id: "c", choices: [], usage: USAGE },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat("data: [DONE]\n\n")
  .join("");

let world: World;
let testSite: TestSite;
let torrent: Server;
/** Bytes that upstream could send, by stream. */
const sent: number[] = [];

beforeAll(async () => {
  torrent = createServer((request, response) => {
    const number = sent.push(0) - 1;
    let isShort = false;
    request.on("data", (part: Buffer) => (isShort ||= part.includes('"briefly"')));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const pour = (): void => {
      const bytesMax = isShort ? SHORT_BYTES : STREAM_BYTES;
      while ((sent[number] ?? 0) < bytesMax) {
        sent[number] = (sent[number] ?? 0) + FRAME.length;
        if (!response.write(FRAME)) return void response.once("drain", pour);
      }
      response.end(END);
    };
    request.on("end", pour);
  });
  await new Promise<void>((done) => torrent.listen(0, "127.0.0.1", done));
  world = await startWorld({ backing: testBacking() });
  testSite = await openTestSite(world, `http://127.0.0.1:${(torrent.address() as AddressInfo).port}`);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  torrent?.closeAllConnections();
  torrent?.close();
});

/** Resident memory of the relay, as reported by the kernel. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${world.pid("relay") ?? 0}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

function openReader(key: string, content = "go on"): Socket {
  const { hostname, port } = new URL(world.relayUrl);
  const body = JSON.stringify({ model: "gpt-4o", stream: true, messages: [{ role: "user", content }] });
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: relay\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  return socket;
}

async function readAll(reader: Socket | undefined): Promise<{ received: number; tail: string }> {
  let received = 0;
  let tail = "";
  reader?.on("data", (chunk: Buffer) => {
    received += chunk.length;
    tail = (tail + chunk.toString("latin1")).slice(-200);
  });
  reader?.resume();
  await new Promise((done) => reader?.once("close", done));
  return { received, tail };
}

it("pauses the upstreams of callers that do not read, uses no memory for them, and delivers every byte once they read", async () => {
  const { id } = await testSite.self();
  await testSite.root.put("/api/user/", { id, quota: 1_000_000_000_000 });
  const { key } = await testSite.token({ remain_quota: 1_000_000_000_000 });
  // The relay knows the channels, and has loaded all code and tables that a stream needs.
  await testSite.eventually("a short response", 30_000, async () => {
    const reader = openReader(key, "briefly");
    const response = await readAll(reader);
    return response.tail.includes("[DONE]") || undefined;
  });
  sent.length = 0;
  const before = residentBytes();
  const readers = Array.from({ length: READERS }, () => openReader(key));
  await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(READERS);
  let last = -1;
  // Wait until no more data moves.
  await expect
    .poll(
      () => {
        const total = sent.reduce((sum, bytes) => sum + bytes, 0);
        const isStill = total === last;
        last = total;
        return isStill;
      },
      { timeout: 15_000, interval: 1_000 },
    )
    .toBe(true);
  expect(Math.max(...sent)).toBeLessThan(IN_BETWEEN_BYTES);
  expect(residentBytes() - before).toBeLessThan(MEMORY_GROWTH_BYTES);
  const [first, ...others] = readers;
  for (const reader of others) reader.destroy();
  const { received, tail } = await readAll(first);
  expect(tail).toContain("data: [DONE]");
  expect(received).toBeGreaterThan(STREAM_BYTES);
}, 90_000);
