import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import type { Choice } from "../../core/call/channel.ts";
import { fetchImage } from "../../upstream/downloads/image-download.ts";
import { imageAddresses, withImages } from "./image-addresses.ts";
import { createInlineImages } from "./inline-images.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001a\nrest", "latin1");
const DATA = PNG.toString("base64");
const image = { mediaType: "image/png", data: DATA };
const URL_A = "https://pictures.test/a.png";

describe("image URL", () => {
  const bodies = [
    [
      "OpenAI's",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: URL_A, detail: "low" } }] }] },
      { image_url: { url: `data:image/png;base64,${DATA}`, detail: "low" } },
    ],
    [
      "OpenAI's in responses",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: URL_A }] }] },
      { image_url: `data:image/png;base64,${DATA}` },
    ],
    [
      "Anthropic's",
      { messages: [{ role: "user", content: [{ type: "image", source: { type: "url", url: URL_A } }] }] },
      { source: { type: "base64", media_type: "image/png", data: DATA } },
    ],
    [
      "Google's",
      { contents: [{ parts: [{ fileData: { mimeType: "image/jpeg", fileUri: URL_A } }] }] },
      { inlineData: { mimeType: "image/png", data: DATA } },
    ],
  ] as const;

  it.each(bodies)("is found and replaced in %s format without other changes", (_, body, written) => {
    expect(imageAddresses(body)).toEqual([URL_A]);
    const made = withImages(body, () => image);
    expect(JSON.stringify(made)).toContain(JSON.stringify(written).slice(1, -1));
    expect(withImages(body, () => undefined)).toBe(body);
  });

  it("is not replaced if it is a data URL, part of a text or that of a document", () => {
    const messages = [
      { role: "user", content: `see ${URL_A}` },
      { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${DATA}` } }] },
      { role: "user", content: [{ type: "document", source: { type: "url", url: URL_A } }] },
    ];
    expect(imageAddresses({ messages })).toEqual([]);
    const contents = [{ parts: [{ fileData: { mimeType: "application/pdf", fileUri: URL_A } }] }];
    expect(imageAddresses({ contents })).toEqual([]);
  });
});

describe("fetched image", () => {
  let server: Server;
  let place: string;
  const guard = createPrivateAddressGuard({ allowlist: ["127.0.0.1/32"], responseBytesMax: 2_000 });
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { url } = request;
      if (url === "/moved") return response.writeHead(302, { location: "/a.png" }).end();
      if (url === "/round") return response.writeHead(302, { location: "/round" }).end();
      if (url === "/inside") return response.writeHead(302, { location: "http://10.0.0.1/a.png" }).end();
      if (url === "/page") return response.writeHead(200, { "content-type": "text/html" }).end("<html>");
      if (url === "/large") return response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(5_000));
      if (url === "/a.png") return response.writeHead(200, { "content-type": "application/octet-stream" }).end(PNG);
      return response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await guard.close();
    server.closeAllConnections();
    server.close();
  });

  it.each(["/a.png", "/moved"])("is read from %s and identified by its bytes", async (path) => {
    expect(await fetchImage(guard, place + path)).toEqual(image);
  });

  it.each([
    ["/round", "redirects too many times"],
    ["/inside", "not allowed"],
    ["/page", "no image"],
    ["/large", "too large"],
    ["/none", "status 404"],
  ])("is refused as the caller's error: %s", async (path, message) => {
    const failed = fetchImage(guard, place + path);
    await expect(failed).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining(message) });
  });

  it("is fetched once for all attempts, and only for providers that do not fetch images themselves", async () => {
    const requested: string[] = [];
    const counting = { fetch: (url: string | URL) => (requested.push(String(url)), guard.fetch(url)) };
    const images = createInlineImages(counting);
    const content = [{ type: "image_url", image_url: { url: `${place}/a.png` } }];
    const body = { model: "m", messages: [{ role: "user", content }] };
    const call = { dialect: openAiChat, body, model: "m", stream: false } as unknown as RelayCall;
    const choice = (type: number) => ({ channel: { type, modelMapping: {} } }) as unknown as Choice;
    expect(images.of(call, choice(1))).toBe(call);
    const [one, two] = await Promise.all([images.of(call, choice(33)), images.of(call, choice(4))]);
    expect(one).toBe(two);
    expect(requested).toHaveLength(1);
    expect(one.bodyText).toContain(DATA);
    expect(one.request().messages[0]?.parts).toEqual([{ type: "image", source: { kind: "base64", ...image } }]);
  });
});
