import { once } from "node:events";
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { verifyClientAddressProof } from "@turnpike/shared/crypto/client-address-proof";
import { makePlaygroundProof, PLAYGROUND_HEADER, readPlaygroundProof } from "@turnpike/shared/crypto/playground-proof";
import { afterEach, describe, expect, it } from "vitest";
import { INTERNAL_SECRET } from "./fake-services.ts";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

type Relay = { readonly address: string; readonly stop: () => void };

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
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  world = await startGatewayWorld({ relayAddress: relay.address, trustedProxies: ["127.0.0.1"] });
  return world;
}

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
    const answer = await fetch(url + path, { method: "POST", body: "a body" });
    expect(answer.status).toBe(418);
    expect(answer.headers.get("x-request-id")).toBe("RELAY");
    expect(await answer.json()).toEqual({ method: "POST", url: path, body: "a body" });
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
    const answer = await open(`${url}/v1/chat/completions`, "POST", "{}");
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    const [upstream] = frames;
    for (const frame of ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]) {
      upstream?.write(frame);
      const [chunk] = (await once(answer, "data")) as [Buffer];
      expect(chunk.toString()).toBe(frame);
    }
    upstream?.end();
    await once(answer, "end");
  });

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
    const answer = await open(`${url}/v1/files`);
    // Nobody reads: the buffers fill up, and then no more data is sent.
    let before = -1;
    const moved = (): number => {
      const count = written - before;
      before = written;
      return count;
    };
    await expect.poll(moved, { interval: 100 }).toBe(0);
    expect(written).toBeLessThan(100);
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(200 * big.length);
  });

  it.each([
    ["before", false],
    ["after", true],
  ])("ends the call at the relay when the caller disconnects %s the first byte", async (_, answersFirst) => {
    const reached = Promise.withResolvers<ServerResponse>();
    const { url } = await startBoth((_request, response) => {
      if (answersFirst) response.write("data: 1\n\n");
      reached.resolve(response);
    });
    const request = httpRequest(`${url}/v1/chat/completions`, { method: "POST" });
    request.on("error", () => undefined);
    request.end("{}");
    const upstream = await reached.promise;
    if (answersFirst) await once(request, "response");
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
    const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", body: "{}" });
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("returns 503 in the clients' format while the relay is down, and 502 if it disconnects first", async () => {
    const gateway = await startBoth((request) => request.socket.destroy());
    const broken = await gateway.call("POST", "/v1/chat/completions", { body: {} });
    expect(broken.status).toBe(502);
    expect(broken.body.error).toMatchObject({ type: "turnpike_error", param: null, code: "relay_failed" });
    relay?.stop();
    const away = await gateway.call("POST", "/v1/chat/completions", { body: {} });
    expect([away.status, away.body.error.code]).toEqual([503, "relay_unavailable"]);
    expect(away.headers.get("retry-after")).toBe("1");
    expect(away.body.error.message).toContain(away.headers.get("x-request-id"));
  });

  it.each([
    ["a path", "GET /v1/m\xfcll?q=\xff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
    ["a header", "GET /v1/models HTTP/1.1\r\nhost: a\r\nx-name: \xfc\xff\r\nconnection: close\r\n\r\n"],
    ["a method", "PROPFIND /v1/models HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
    ["a host that is none", "GET /v1/models HTTP/1.1\r\nhost: ::\r\nconnection: x-y, close\r\n\r\n"],
  ])("survives unusual bytes in %s", async (_, text) => {
    const gateway = await startBoth((_request, response) => response.end("fine"));
    const socket = connect(gateway.port, "127.0.0.1");
    socket.write(Buffer.from(text, "latin1"));
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect((await gateway.call("GET", "/v1/models")).status).toBe(200);
  });

  it("refuses other sites at the playground, which is paid from a session", async () => {
    const gateway = await startBoth((request, response) => {
      const { cookie = "", authorization = "", [PLAYGROUND_HEADER]: person } = request.headers;
      response.end(JSON.stringify({ cookie, authorization, person }));
    });
    const askWith = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/pg/chat/completions`, { method: "POST", headers });
    const forged = { [PLAYGROUND_HEADER]: makePlaygroundProof("guess", 1, Math.floor(Date.now() / 1000)) };
    const own = (await (await askWith({ cookie: "session=ada", ...forged })).json()) as Record<string, string>;
    expect(own).toMatchObject({ cookie: "", authorization: "" });
    expect(readPlaygroundProof(INTERNAL_SECRET, own["person"] ?? "", Math.floor(Date.now() / 1000))).toBeGreaterThan(0);
    expect((await askWith(forged)).status).toBe(401);
    expect((await askWith({ cookie: "session=nobody" })).status).toBe(401);
    const other = await gateway.call("POST", "/pg/chat/completions", { headers: { origin: "https://evil.example" } });
    expect([other.status, other.body.error.code]).toEqual([403, "cross_site_refused"]);
  });
});
