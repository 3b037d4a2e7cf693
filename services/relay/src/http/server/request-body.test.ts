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

/** Sends a body in chunks; without a length if the headers contain none. */
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

describe("request body", () => {
  it.each<[string, readonly Buffer[], Record<string, string>]>([
    ["of known length", pieces, { "content-length": String(body.length) }],
    ["of unknown length", pieces, {}],
    ["compressed with gzip", [gzipSync(body)], { "content-encoding": "gzip" }],
    ["compressed with zstd", [zstdCompressSync(body)], { "content-encoding": "zstd" }],
  ])("is read completely: %s", async (_, sent, headers) => {
    await post(sent, headers);
    expect(body.equals(seen.at(-1) as Buffer)).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ["known", { "content-length": "100001" }],
    ["unknown", {}],
  ])("is refused if too large, with length %s", async (_, headers) => {
    await post([body, body.subarray(0, 10_001)], headers);
    expect(seen.at(-1)).toMatchObject({ code: "body_too_large" });
  });

  it("is refused if cut off", async () => {
    const before = seen.length;
    await post([body.subarray(0, 1000)], { "content-length": "90000" }, true);
    await expect.poll(() => seen.length).toBeGreaterThan(before);
    expect(seen.at(-1)).toMatchObject({ code: "invalid_request" });
  });
});

it("is refused if it is not UTF-8", async () => {
  const request = Object.assign(Readable.from([Buffer.from("a\xff", "latin1")]), { headers: {}, complete: true });
  await expect(readBody(request as unknown as IncomingMessage, BYTES_MAX)).rejects.toMatchObject({
    code: "invalid_request",
  });
});
