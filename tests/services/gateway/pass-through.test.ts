import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { verifyClientAddressProof } from "@turnpike/shared/crypto/client-address-proof";
import { makePlaygroundProof, PLAYGROUND_HEADER, readPlaygroundProof } from "@turnpike/shared/crypto/playground-proof";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { INTERNAL_SECRET } from "./fake-services.ts";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

type Relay = { readonly address: string; readonly stop: () => void; readonly server: Server };

let relay: Relay | undefined;
let world: GatewayWorld | undefined;
afterEach(async () => {
  await world?.stop();
  relay?.stop();
});

async function startBoth(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<GatewayWorld> {
  const server = createServer(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  relay = {
    server,
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  world = await startGatewayWorld({ relayAddress: relay.address, trustedProxies: ["127.0.0.1"] });
  return world;
}

/** The relay's side of the next WebSocket. */
const acceptSocket = (): Promise<{ socket: Duplex; webSocket: WebSocket }> =>
  new Promise((resolve) => {
    relay?.server.once("upgrade", (request, socket, head) => {
      const sockets = new WebSocketServer({ noServer: true });
      sockets.handleUpgrade(request, socket, head, (webSocket) => resolve({ socket, webSocket }));
    });
  });

async function readAll(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

const open = async (url: string, method = "GET", body?: string): Promise<IncomingMessage> => {
  const request = httpRequest(url, { method });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
};

describe("model API pass-through", () => {
  it.each([
    "/v1/chat/completions?x=1",
    "/v1beta/models",
    "/mj/submit/imagine",
    "/mj-fast/mj/submit/imagine",
    "/suno/fetch",
    "/hf/v1/models",
    "/dashboard/billing/usage",
  ])("forwards %s to the relay unchanged, and returns its response unchanged", async (path) => {
    const { url } = await startBoth((request, response) => {
      void readAll(request).then((body) => {
        response.writeHead(418, { "x-request-id": "RELAY", "content-type": "application/json" });
        response.end(JSON.stringify({ method: request.method, url: request.url, body }));
      });
    });
    const result = await fetch(url + path, { method: "POST", body: "a body" });
    expect(result.status).toBe(418);
    expect(result.headers.get("x-request-id")).toBe("RELAY");
    expect(await result.json()).toEqual({ method: "POST", url: path, body: "a body" });
  });

  it("passes the caller's address to the relay with proof, and drops addresses that callers claim", async () => {
    let headers: IncomingMessage["headers"] = {};
    const { url } = await startBoth((request, response) => {
      headers = request.headers;
      response.end();
    });
    await fetch(`${url}/v1/models`, {
      headers: {
        "x-forwarded-for": "1.1.1.1, 203.0.113.5",
        "x-turnpike-client-ip": "1.1.1.1",
        "x-turnpike-client-proof": "forged",
        "x-real-ip": "1.1.1.1",
        cookie: "session=ada",
        authorization: "Bearer sk-1",
        te: "trailers",
      },
    });
    expect(headers["x-turnpike-client-ip"]).toBe("203.0.113.5");
    const proof = String(headers["x-turnpike-client-proof"]);
    expect(verifyClientAddressProof(INTERNAL_SECRET, "203.0.113.5", proof)).toBe(true);
    expect(headers).toMatchObject({ authorization: "Bearer sk-1", "x-forwarded-for": "203.0.113.5" });
    for (const name of ["x-real-ip", "cookie", "te"]) expect(headers[name]).toBeUndefined();
  });

  it("forwards each frame as it arrives", async () => {
    const frames: ServerResponse[] = [];
    const { url } = await startBoth((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      frames.push(response);
    });
    const result = await open(`${url}/v1/chat/completions`, "POST", "{}");
    expect(result.headers["content-type"]).toBe("text/event-stream");
    const [upstream] = frames;
    for (const frame of ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]) {
      upstream?.write(frame);
      const [chunk] = (await once(result, "data")) as [Buffer];
      expect(chunk.toString()).toBe(frame);
    }
    upstream?.end();
    await once(result, "end");
  });

  it.each([
    ["/v1/chat/completions", /^data: \{"error":\{"message":".+","type":"turnpike_error",.*"stream_interrupted"\}\}$/],
    ["/v1/messages", /^event: error\ndata: \{"type":"error","error":\{"type":"api_error",/],
    [
      "/v1/responses",
      /^event: response\.failed\ndata: \{"type":"response\.failed","sequence_number":8,"response":\{"id":"resp_1",.*"status":"failed","error":\{"code":"stream_interrupted",/,
    ],
    ["/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse", /^data: \{"error":\{"code":503,/],
  ])(
    "ends a stream on %s that outlives the grace period with an error event, after the event in progress",
    async (path, event) => {
      const opened = Promise.withResolvers<ServerResponse>();
      const { url, drain } = await startBoth((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"sequence_number":7,"id":"resp_1","half":');
        opened.resolve(response);
      });
      const result = await open(url + path, "POST", "{}");
      const reading = readAll(result);
      const relayed = await opened.promise;
      const relayClosed = once(relayed, "close");
      const drained = drain(3);
      // The streams are ended 1.5 s after the start, and are in the middle of an event.
      setTimeout(() => relayed.write('"other"}\n\n'), 1_700);
      const [first, last, end] = (await reading).split("\n\n");
      expect(first).toBe('data: {"sequence_number":7,"id":"resp_1","half":"other"}');
      expect(last).toMatch(event);
      expect(end).toBe("");
      expect(result.complete).toBe(true);
      await relayClosed;
      await drained;
    },
  );

  it.each([
    ["/v1/realtime?model=gpt-4o-realtime", { type: "error", event_id: expect.stringMatching(/^evt_/) as string }],
    ["/v1/responses", { type: "error", status: 503 }],
  ])(
    "ends a WebSocket on %s that outlives the grace period with an error event and close code 1012, after the message in progress",
    async (path, event) => {
      const { url, drain } = await startBoth((_, response) => void response.end());
      const relaySide = acceptSocket();
      const client = new WebSocket(url.replace("http", "ws") + path);
      const messages: string[] = [];
      client.on("message", (data: Buffer) => messages.push(data.toString()));
      const closed = once(client, "close") as Promise<[number]>;
      const { socket, webSocket } = await relaySide;
      const relayClosed = once(webSocket, "close") as Promise<[number]>;
      webSocket.send("first");
      socket.write(Buffer.from([0x81, 6, ...Buffer.from("sec")]));
      const drained = drain(3);
      // WebSockets are ended 1.5 s after the start, and this one is in the middle of a message.
      setTimeout(() => socket.write("ond"), 1_700);
      expect((await closed)[0]).toBe(1012);
      expect(messages.slice(0, 2)).toEqual(["first", "second"]);
      expect(JSON.parse(messages[2] ?? "")).toMatchObject({ ...event, error: { code: "stream_interrupted" } });
      expect((await relayClosed)[0]).toBe(1012);
      await drained;
    },
  );

  it("applies backpressure to the relay while the caller does not read", async () => {
    const big = Buffer.alloc(1024 * 1024, "x");
    let written = 0;
    const { url } = await startBoth((_, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      const fill = (): void => {
        while (written < 200 && !response.destroyed) {
          written += 1;
          if (!response.write(big)) return void response.once("drain", fill);
        }
        response.end();
      };
      fill();
    });
    const result = await open(`${url}/v1/files`);
    // The client does not read: the buffers fill up, and then no more data is sent.
    let before = -1;
    const moved = (): number => {
      const count = written - before;
      before = written;
      return count;
    };
    await expect.poll(moved, { interval: 100 }).toBe(0);
    expect(written).toBeLessThan(100);
    let bytes = 0;
    for await (const chunk of result) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(200 * big.length);
  });

  it.each([
    ["before", false],
    ["after", true],
  ])("ends the call at the relay when the caller disconnects %s the first byte", async (_, respondsFirst) => {
    const reached = Promise.withResolvers<ServerResponse>();
    const { url } = await startBoth((_request, response) => {
      if (respondsFirst) response.write("data: 1\n\n");
      reached.resolve(response);
    });
    const request = httpRequest(`${url}/v1/chat/completions`, { method: "POST" });
    request.on("error", () => undefined);
    request.end("{}");
    const upstream = await reached.promise;
    if (respondsFirst) await once(request, "response");
    request.destroy();
    await once(upstream, "close");
    expect(upstream.writableFinished).toBe(false);
  });

  it("cuts the response where the relay cuts it, and never ends it cleanly", async () => {
    const { url } = await startBoth((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      setImmediate(() => response.destroy());
    });
    const result = await fetch(`${url}/v1/chat/completions`, { method: "POST", body: "{}" });
    await expect(result.text()).rejects.toThrow("terminated");
  });

  it("returns 503 in the clients' format while the relay is down, and 502 if it disconnects first", async () => {
    const gateway = await startBoth((request) => request.socket.destroy());
    const broken = await gateway.call("POST", "/v1/chat/completions", { body: {} });
    expect(broken.status).toBe(502);
    expect(broken.body.error).toMatchObject({ type: "turnpike_error", param: null, code: "relay_failed" });
    relay?.stop();
    const unavailable = await gateway.call("POST", "/v1/chat/completions", { body: {} });
    expect([unavailable.status, unavailable.body.error.code]).toEqual([503, "relay_unavailable"]);
    expect(unavailable.headers.get("retry-after")).toBe("1");
    expect(unavailable.body.error.message).toContain(unavailable.headers.get("x-request-id"));
  });

  it.each([
    ["a path", "GET /v1/m\xfcll?q=\xff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
    ["a header", "GET /v1/models HTTP/1.1\r\nhost: a\r\nx-name: \xfc\xff\r\nconnection: close\r\n\r\n"],
    ["a method", "PROPFIND /v1/models HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
    ["an invalid host", "GET /v1/models HTTP/1.1\r\nhost: ::\r\nconnection: x-y, close\r\n\r\n"],
  ])("survives unusual bytes in %s", async (_, text) => {
    const gateway = await startBoth((_request, response) => response.end("fine"));
    const socket = connect(gateway.port, "127.0.0.1");
    socket.write(Buffer.from(text, "latin1"));
    let result = "";
    for await (const chunk of socket) result += String(chunk);
    expect(result).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect((await gateway.call("GET", "/v1/models")).status).toBe(200);
  });

  it("refuses other sites at the playground, which is paid from a session", async () => {
    const gateway = await startBoth((request, response) => {
      const { cookie = "", authorization = "", [PLAYGROUND_HEADER]: user } = request.headers;
      response.end(JSON.stringify({ cookie, authorization, person: user }));
    });
    const requestWith = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/pg/chat/completions`, { method: "POST", headers });
    const forged = { [PLAYGROUND_HEADER]: makePlaygroundProof("guess", 1, Math.floor(Date.now() / 1000)) };
    const own = (await (await requestWith({ cookie: "session=ada", ...forged })).json()) as Record<string, string>;
    expect(own).toMatchObject({ cookie: "", authorization: "" });
    expect(readPlaygroundProof(INTERNAL_SECRET, own["person"] ?? "", Math.floor(Date.now() / 1000))).toBeGreaterThan(0);
    expect((await requestWith(forged)).status).toBe(401);
    expect((await requestWith({ cookie: "session=nobody" })).status).toBe(401);
    const other = await gateway.call("POST", "/pg/chat/completions", { headers: { origin: "https://evil.example" } });
    expect([other.status, other.body.error.code]).toEqual([403, "cross_site_refused"]);
  });
});
