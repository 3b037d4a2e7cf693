import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readBody, readBytes } from "./request-body.ts";

const BYTES_MAX = 100_000;
const seen: (Buffer | RelayError)[] = [];
const server = createServer((request, response) => {
  readBytes(request, BYTES_MAX)
    .catch((error: unknown) => {
      if (error instanceof RelayError) return error;
      throw error;
    })
    .then((result) => {
      seen.push(result);
      response.end();
    })
    .catch(() => response.destroy());
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Sends a body in pieces; without its length where the headers do not say it. */
function post(pieces: readonly Buffer[], headers: Record<string, string>, isCut = false): Promise<void> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const call = send({ port, host: "127.0.0.1", method: "POST", headers, agent: false });
    call.on("response", (response) => response.resume().on("close", resolve));
    call.on("error", () => resolve());
    for (const piece of pieces) call.write(piece);
    if (isCut) server.once("request", () => call.destroy());
    else call.end();
  });
}

const body = Buffer.from(Array.from({ length: 90_000 }, (_, index) => index % 251));
const pieces = [body.subarray(0, 10), body.subarray(10, 70_000), body.subarray(70_000)];

describe("a body of bytes", () => {
  it.each<[string, readonly Buffer[], Record<string, string>]>([
    ["of a told length", pieces, { "content-length": String(body.length) }],
    ["of a length nobody told", pieces, {}],
    ["packed", [gzipSync(body)], { "content-encoding": "gzip" }],
    ["packed more tightly", [zstdCompressSync(body)], { "content-encoding": "zstd" }],
  ])("%s comes whole", async (_, sent, headers) => {
    await post(sent, headers);
    expect(body.equals(seen.at(-1) as Buffer)).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ["told", { "content-length": "100001" }],
    ["not told", {}],
  ])("that is too large is refused, its length %s", async (_, headers) => {
    await post([body, body.subarray(0, 10_001)], headers);
    expect(seen.at(-1)).toMatchObject({ code: "body_too_large" });
  });

  it("that is cut off is refused", async () => {
    const before = seen.length;
    await post([body.subarray(0, 1000)], { "content-length": "90000" }, true);
    await expect.poll(() => seen.length).toBeGreaterThan(before);
    expect(seen.at(-1)).toMatchObject({ code: "invalid_request" });
  });
});

it("a text that is no UTF-8 is refused", async () => {
  const request = Object.assign(Readable.from([Buffer.from("a\xff", "latin1")]), { headers: {}, complete: true });
  await expect(readBody(request as unknown as IncomingMessage, BYTES_MAX)).rejects.toMatchObject({
    code: "invalid_request",
  });
});
