import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { StoredFiles } from "../../upstream/downloads/stored-files.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { createUpstreamClient, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { OnCancel } from "../../upstream/upstream-call.ts";
import { createFollowUp } from "./post-processing.ts";
import type { Prepared } from "../prepare/prepared-request.ts";
import { attemptNonStreaming } from "./non-streaming-attempt.ts";

const LEFT = new RelayError("stream_interrupted", "the client disconnected");
const SHOWN = { mediaType: "image/png", data: "AAAA" };
const never: OnCancel = () => undefined;

const responses: Record<string, RequestListener> = {
  "/task": (request, response) => response.end(JSON.stringify({ key: request.headers["authorization"] })),
  "/busy": (_, response) => response.writeHead(503).end("busy"),
  "/cut": (request) => request.socket.destroy(),
  "/silent": () => undefined,
  "/drawn": (_, response) => response.writeHead(200, { "content-type": "image/png" }).end("\u0089PNG", "latin1"),
};
const upstream: Server = createServer((request, response) => responses[request.url ?? ""]?.(request, response));
let client: UpstreamClient;
let base: string;

beforeAll(async () => {
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  client = createUpstreamClient({ connectMs: 2_000 });
});

afterAll(async () => {
  await client.close();
  upstream.closeAllConnections();
  upstream.close();
});

/** Cancels the operation in progress when triggered. */
function createCaller() {
  const cancels: ((reason: Error) => void)[] = [];
  const onCancel: OnCancel = (cancel) => cancels.push(cancel);
  return { onCancel, leave: () => cancels.forEach((cancel) => cancel(LEFT)) };
}

const place = (path: string) => ({ url: base + path, headers: { authorization: "Bearer k" } });

describe("post-processing after the first response", () => {
  it("sends a further request and returns the response whatever its status; no response is a failure", async () => {
    const { request } = createFollowUp({ client }, undefined, never);
    expect(await request(place("/task"))).toEqual({ status: 200, body: { key: "Bearer k" } });
    expect(await request(place("/busy"))).toEqual({ status: 503, body: "busy" });
    expect(await request(place("/cut"))).toBeUndefined();
  });

  it("aborts requests, waits and downloads when the client disconnects", async () => {
    const { onCancel, leave } = createCaller();
    const images = { fetch: () => new Promise<typeof SHOWN>(() => undefined) };
    const { request, wait, fetchImage } = createFollowUp({ client, images }, undefined, onCancel);
    const requested = once(upstream, "request");
    const under = [request(place("/silent")), wait(60_000), fetchImage("https://pictures.test/a.png")];
    await requested;
    leave();
    for (const work of await Promise.allSettled(under)) expect(work).toEqual({ status: "rejected", reason: LEFT });
  });

  it("fetches an image; a download failure counts as upstream's, not the caller's", async () => {
    const has = createFollowUp({ client, images: { fetch: () => Promise.resolve(SHOWN) } }, undefined, never);
    expect(await has.fetchImage("https://pictures.test/a.png")).toBe("AAAA");
    const refused = () => Promise.reject(new RelayError("invalid_request", "an image could not be fetched"));
    const lacks = createFollowUp({ client, images: { fetch: refused } }, undefined, never);
    await expect(lacks.fetchImage("https://pictures.test/a.png")).rejects.toMatchObject({ status: 502 });
  });

  it("fetches other stored files through the channel's proxy", async () => {
    const requested: unknown[] = [];
    const fetch: StoredFiles["fetch"] = (url, { proxy }) => (
      requested.push([url, proxy]),
      Promise.resolve(Buffer.from("la"))
    );
    const has = createFollowUp({ client, files: { fetch } }, "http://proxy.test", never);
    expect(await has.fetchFile("https://files.test/a.wav")).toEqual(Buffer.from("la"));
    expect(requested).toEqual([["https://files.test/a.wav", "http://proxy.test"]]);
    const lacks = createFollowUp(
      { client, files: { fetch: () => Promise.reject(new Error("10.0.0.1")) } },
      undefined,
      never,
    );
    await expect(lacks.fetchFile("https://files.test/a.wav")).rejects.toMatchObject({
      status: 502,
      message: "the response was generated, but could not be fetched",
    });
  });
});

describe("attempt at a provider with post-processing", () => {
  const prepared = (): Prepared => {
    const provider = findProvider(39)?.endpoints?.["openai-images"];
    if (!provider) throw new Error("Cloudflare image response");
    const request = { method: "POST", url: `${base}/drawn`, headers: {}, body: "{}" } as const;
    return {
      provider,
      passThrough: true,
      request: { ...request, firstByteMs: 2_000, idleMs: 2_000 },
      finish: (response) =>
        provider.finish?.(response, {} as never, {} as never) ?? { body: response.body, contentType: "" },
    };
  };

  it("returns the post-processed bytes with their content type", async () => {
    const { raw, headers, response } = await attemptNonStreaming(
      { client, now: Date.now },
      prepared(),
      {},
      { onCancel: never },
    );
    expect(JSON.parse(String(raw))).toMatchObject({ data: [{ b64_json: "iVBORw==" }] });
    expect(headers["content-type"]).toBe("application/json");
    expect(response.usage).toMatchObject({ images: 1 });
  });

  it("fails as an upstream error when post-processing fails, and skips post-processing after a refusal", async () => {
    const failing: Prepared = { ...prepared(), finish: () => Promise.reject(new TypeError("broken")) };
    await expect(
      attemptNonStreaming({ client, now: Date.now }, failing, {}, { onCancel: never }),
    ).rejects.toMatchObject({
      upstream: { code: "bad_answer" },
    });
    const refused: Prepared = { ...failing, request: { ...failing.request, url: `${base}/busy` } };
    await expect(
      attemptNonStreaming({ client, now: Date.now }, refused, {}, { onCancel: never }),
    ).rejects.toMatchObject({
      status: 503,
    });
  });
});
