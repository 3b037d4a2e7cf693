import { Response } from "undici";
import { expect, it } from "vitest";
import type { UpstreamClient } from "../upstream-client.ts";
import type { OutgoingRequest } from "../upstream-call.ts";
import { createStoredFiles } from "./stored-files.ts";

const URL_A = "http://files.test/sound.wav";
const AUDIO = Buffer.from("RIFF");
const never = () => undefined;

/** A client with the given response that records its requests. */
function responding(status: number, bytes = AUDIO) {
  const requested: OutgoingRequest[] = [];
  const client = {
    send: (request: OutgoingRequest, sink: Parameters<UpstreamClient["send"]>[1]) => {
      requested.push(request);
      queueMicrotask(() => {
        sink.head(status, {});
        sink.data(bytes);
        sink.end();
      });
      return { abort: never, pause: never, resume: never };
    },
  } as unknown as UpstreamClient;
  return { requested, client };
}

/** A guard that allows all hosts but one and records what was fetched. */
function getGuard(status = 200) {
  const fetched: string[] = [];
  return {
    fetched,
    fetch: (url: string | URL) => (fetched.push(String(url)), Promise.resolve(new Response(AUDIO, { status }))),
    check: (url: string | URL) =>
      String(url).includes("10.0.0.1") ? Promise.reject(new Error("not allowed")) : Promise.resolve(),
  };
}

it("is fetched from public addresses without the key if the channel has no proxy", async () => {
  const guard = getGuard();
  const { requested, client } = responding(200);
  const files = createStoredFiles({ guard, bytesMax: 1_000 });
  expect(await files.fetch(URL_A, { client, proxy: undefined, onCancel: never })).toEqual(AUDIO);
  expect(guard.fetched).toEqual([URL_A]);
  expect(requested).toEqual([]);
});

it("fails if its URL refuses", async () => {
  const files = createStoredFiles({ guard: getGuard(404), bytesMax: 1_000 });
  const way = { client: responding(200).client, proxy: undefined, onCancel: never };
  await expect(files.fetch(URL_A, way)).rejects.toThrow("status 404");
});

it("is fetched only through the channel's proxy, after the address check", async () => {
  const guard = getGuard();
  const files = createStoredFiles({ guard, bytesMax: 1_000 });
  const { requested, client } = responding(200);
  const proxy = "http://proxy.test:8080";
  expect(await files.fetch(URL_A, { client, proxy, onCancel: never })).toEqual(AUDIO);
  expect(requested).toMatchObject([{ method: "GET", url: URL_A, headers: {}, proxy }]);
  await expect(files.fetch("http://10.0.0.1/a", { client, proxy, onCancel: never })).rejects.toThrow("not allowed");
  expect(requested).toHaveLength(1);
  expect(guard.fetched).toEqual([]);
});

it("has a size limit through a proxy, and requires status 200", async () => {
  const files = createStoredFiles({ guard: getGuard(), bytesMax: 3 });
  const way = (client: UpstreamClient) => ({ client, proxy: "http://proxy.test:8080", onCancel: never });
  await expect(files.fetch(URL_A, way(responding(200).client))).rejects.toThrow("larger than 3 bytes");
  await expect(files.fetch(URL_A, way(responding(302, Buffer.from("x")).client))).rejects.toThrow("status 302");
});
