import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentPart } from "../../core/chat/chat.ts";
import type { Choice } from "../../core/call/channel.ts";
import { toRoutedChannel } from "../../routing/routing-table.ts";
import { createUpstreamClient } from "../../upstream/upstream-client.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { uploadFirst } from "./uploads.ts";

const DIFY = 37;
const paths: string[] = [];
let result: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume();
  paths.push(request.url ?? "");
  result(response);
});
const client = createUpstreamClient({ connectMs: 1_000 });
let baseUrl = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.close();
  server.close();
});

const image: ContentPart = { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } };

function upload(type: number, ...parts: ContentPart[]) {
  const channel = toRoutedChannel({ channel: Channel.fromPartial({ id: 1, type, baseUrl, models: "m" }), keys: ["k"] });
  const request = () => ({ model: "m", system: [], messages: [{ role: "user" as const, parts }], stream: false });
  const call = { model: "m", clientHeaders: {}, request } as unknown as RelayCall;
  const deps = { client, options: () => optionsInForce([]), now: () => 0 };
  return uploadFirst(deps, call, { channel, key: "k" } as Choice, () => undefined);
}

describe("files that are uploaded before the call", () => {
  it("skips the upload for most providers, and for calls without files", () => {
    expect(upload(1, image)).toBeUndefined();
    expect(upload(DIFY, { type: "text", text: "hi" })).toBeUndefined();
  });

  it("uses the names that the provider returns", async () => {
    result = (response) => response.writeHead(201).end(JSON.stringify({ id: `file-${paths.length}` }));
    expect(await upload(DIFY, image, image)).toHaveLength(2);
    expect(paths).toEqual(["/v1/files/upload", "/v1/files/upload"]);
  });

  it("fails the attempt if an upload is refused", async () => {
    result = (response) =>
      response
        .writeHead(413)
        .end(JSON.stringify({ code: "file_too_large", message: "File size exceeded", status: 413 }));
    await expect(upload(DIFY, image)).rejects.toMatchObject({
      status: 413,
      upstream: { code: "file_too_large", message: "File size exceeded" },
    });
  });
});
