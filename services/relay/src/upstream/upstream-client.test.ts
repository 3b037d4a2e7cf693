import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { errors } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUpstreamClient, receiveResponse } from "./upstream-client.ts";

const RESPONSE = "the answer, ".repeat(1_000);
const PACKERS = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, zstd: zstdCompressSync };

const RESPONSES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  "/hints": (_, response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    setImmediate(() => response.end(RESPONSE));
  },
  "/cut": (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(gzipSync(RESPONSE).subarray(0, 30));
  },
  "/drip": (_, response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  },
  // Claims to be compressed, and continues with bytes that are not.
  "/unpackable": (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    const timer = setInterval(() => response.write("plain text"), 20);
    response.on("close", () => {
      clearInterval(timer);
      closed();
    });
  },
  "/late": (_, response) => setTimeout(() => response.writeHead(200).flushHeaders(), 400),
  // Its second chunk is sent once the first was read.
  "/pieces": (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    const packed = createGzip();
    packed.pipe(response);
    packed.write("first");
    packed.flush();
    proceed = () => packed.end("second");
  },
};
let proceed = (): void => undefined;
let closed = (): void => undefined;

const upstream = createServer((request, response) => {
  const result = RESPONSES[request.url ?? ""];
  if (result) return result(request, response);
  const coding = (request.url ?? "").slice(1) as keyof typeof PACKERS;
  response.writeHead(200, { "content-encoding": coding });
  response.end(PACKERS[coding](RESPONSE));
});
const client = createUpstreamClient({ connectMs: 2_000 });

beforeAll(async () => {
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
});
afterAll(async () => {
  await client.close();
  upstream.close();
});

const request = (path: string) => ({
  method: "POST" as const,
  url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}${path}`,
  headers: {},
  body: "{}",
  firstByteMs: 2_000,
  idleMs: 2_000,
});
const readBody = async (path: string): Promise<[number, string]> => {
  const { status, body } = await receiveResponse(client, request(path), {
    bytesMax: 100_000,
    onCancel: () => undefined,
  });
  return [status, body.toString()];
};

it("does not take informational responses for the final one", async () => {
  const heads: number[] = [];
  await new Promise<void>((resolve, reject) =>
    client.send(request("/hints"), {
      head: (status) => heads.push(status),
      data: () => undefined,
      end: resolve,
      fail: reject,
    }),
  );
  expect(heads).toEqual([200]);
  expect(await readBody("/hints")).toEqual([200, RESPONSE]);
});

describe("compressed body that was not requested", () => {
  it.each(Object.keys(PACKERS))("is decompressed: %s", async (coding) => {
    expect(await readBody(`/${coding}`)).toEqual([200, RESPONSE]);
  });

  it("is passed on chunk by chunk", async () => {
    const pieces: string[] = [];
    await new Promise<void>((resolve, reject) =>
      client.send(request("/pieces"), {
        head: () => undefined,
        data: (chunk) => {
          pieces.push(chunk.toString());
          proceed();
        },
        end: resolve,
        fail: reject,
      }),
    );
    expect(pieces).toEqual(["first", "second"]);
  });

  it("fails if it was cut", async () => {
    await expect(readBody("/cut")).rejects.toThrow("unexpected end of file");
  });

  it("emits nothing after it was aborted", async () => {
    const heard: string[] = [];
    await new Promise<void>((resolve) => {
      const call = client.send(request("/gzip"), {
        head: () => heard.push("head"),
        data: () => {
          heard.push("data");
          call.abort();
          setImmediate(resolve);
        },
        end: () => heard.push("end"),
        fail: () => heard.push("fail"),
      });
    });
    expect(heard).toEqual(["head", "data"]);
  });
});

it("gives up a slow non-streaming response at its time limit", async () => {
  const brief = { ...request("/drip"), firstByteMs: 300, idleMs: 300 };
  const reading = receiveResponse(client, brief, { bytesMax: 100_000, onCancel: () => undefined });
  await expect(reading).rejects.toBeInstanceOf(errors.BodyTimeoutError);
});

it("applies one time limit to a whole non-streaming response, not a new one after its headers", async () => {
  const late = { ...request("/late"), firstByteMs: 1_500, idleMs: 1_500 };
  const timer = { isOver: false };
  setTimeout(() => (timer.isOver = true), 1_700);
  const reading = receiveResponse(client, late, { bytesMax: 100_000, onCancel: () => undefined });
  await expect(reading).rejects.toBeInstanceOf(errors.BodyTimeoutError);
  // The headers arrived after 400 ms; with a time limit of its own the body would have had until 1,900 ms.
  expect(timer.isOver).toBe(false);
});

it("stops reading from an upstream whose response cannot be decompressed", async () => {
  const left = new Promise<void>((resolve) => (closed = resolve));
  const reading = receiveResponse(client, request("/unpackable"), { bytesMax: 100_000, onCancel: () => undefined });
  await expect(reading).rejects.toThrow("incorrect header check");
  await left;
});

/** The proxy's side of a SOCKS5 tunnel; reads nothing more afterwards. */
function acceptTunnel(socket: Socket): void {
  socket.once("data", () => {
    socket.write(Buffer.from([5, 0]));
    socket.once("data", () => {
      socket.pause();
      socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    });
  });
  socket.resume();
}

it.each(["directly", "through an http proxy", "through a socks5 proxy"])(
  "has sent a request %s once all of it has left, not while the other side has stopped reading",
  async (way) => {
    const accepted = Promise.withResolvers<Socket>();
    const deaf = createTcpServer({ pauseOnConnect: true }, (socket) => {
      if (way === "through a socks5 proxy") acceptTunnel(socket);
      accepted.resolve(socket);
    });
    deaf.listen(0, "127.0.0.1");
    await once(deaf, "listening");
    const place = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
    const proxy = way === "through a socks5 proxy" ? place.replace("http", "socks5") : place;
    const target = way === "directly" ? { url: place } : { url: "http://upstream.test/", proxy };
    const silent = { head: () => undefined, data: () => undefined, end: () => undefined, fail: () => undefined };
    const small = client.send({ ...request("/"), ...target }, silent);
    await expect.poll(() => small.isSent()).toBe(true);
    small.abort();
    (await accepted.promise).destroy();
    const second = once(deaf, "connection") as Promise<[Socket]>;
    const call = client.send(
      { ...request("/"), ...target, body: Buffer.alloc(64 * 1024 * 1024), firstByteMs: 10_000 },
      silent,
    );
    const [socket] = await second;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(call.isSent()).toBe(false);
    socket.on("error", () => undefined).resume();
    await expect.poll(() => call.isSent(), { timeout: 5_000 }).toBe(true);
    call.abort();
    deaf.close();
  },
);
