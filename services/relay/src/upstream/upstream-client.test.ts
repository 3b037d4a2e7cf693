import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createUpstreamClient, receiveWhole } from "./upstream-client.ts";

const upstream = createServer((_, response) => {
  response.writeEarlyHints({ link: "</style.css>; rel=preload" });
  setImmediate(() => response.end("the answer"));
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

const request = () => ({
  method: "POST" as const,
  url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
  headers: {},
  body: "{}",
  firstByteMs: 2_000,
  idleMs: 2_000,
});

it("hints before the answer are not taken for its head", async () => {
  const heads: number[] = [];
  await new Promise<void>((resolve, reject) =>
    client.send(request(), {
      head: (status) => heads.push(status),
      data: () => undefined,
      end: resolve,
      fail: reject,
    }),
  );
  expect(heads).toEqual([200]);
  const { status, body } = await receiveWhole(client, request(), { bytesMax: 100, onCancel: () => undefined });
  expect([status, body.toString()]).toEqual([200, "the answer"]);
});
