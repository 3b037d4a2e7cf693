import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { createUpstreamClient, receiveResponse, type UpstreamClient } from "./upstream-client.ts";

/** The connections through each proxy: their destination and their credentials. */
const seen: string[] = [];
const getPort = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port;
const join = (one: Socket, other: Socket): void => {
  one.pipe(other).pipe(one);
  one.on("error", () => other.destroy());
  other.on("error", () => one.destroy());
};

const upstream = createServer((request, response) => response.end(`answer to ${request.url ?? ""}`));
const sockets = new WebSocketServer({ server: upstream });
sockets.on("connection", (socket) =>
  socket.on("message", (text: Buffer) => {
    socket.send(`{"heard":${text.toString()}}`);
    socket.close();
  }),
);

/** Forwards plain calls and opens tunnels. */
const httpProxy = createServer((request, response) => {
  const url = new URL(request.url ?? "");
  seen.push(`forward ${url.host} ${request.headers["proxy-authorization"] ?? ""}`);
  void fetch(url).then(async (result) => response.end(await result.text()));
});
httpProxy.on("connect", (request, socket: Socket) => {
  const [host = "", port = ""] = (request.url ?? "").split(":");
  seen.push(`tunnel ${request.url ?? ""} ${request.headers["proxy-authorization"] ?? ""}`);
  if (host === "refused.test") return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  const target = connect(Number(port), host, () => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    join(socket, target);
  });
});

/** RFC 1928 and 1929, as far as this client uses them. */
const socksProxy = createTcpServer((socket) => {
  socket.once("data", () => {
    socket.write(Buffer.from([5, 2]));
    socket.once("data", (account: Buffer) => {
      const userEnd = 2 + (account[1] ?? 0);
      const user = `${account.subarray(2, userEnd).toString()}:${account.subarray(userEnd + 1).toString()}`;
      socket.write(Buffer.from([1, 0]));
      socket.once("data", (requested: Buffer) => {
        const isName = requested[3] === 3;
        const host = isName
          ? requested.subarray(5, 5 + (requested[4] ?? 0)).toString()
          : requested.subarray(4, 8).join(".");
        const port = requested.readUInt16BE(requested.length - 2);
        seen.push(`socks ${host}:${port} ${user}`);
        const target = connect(port, host, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          join(socket, target);
        });
      });
    });
  });
});

let client: UpstreamClient;
beforeAll(async () => {
  for (const server of [upstream, httpProxy, socksProxy] as Server[]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  client = createUpstreamClient({ connectMs: 2_000 });
});
afterAll(async () => {
  await client.close();
  sockets.close();
  upstream.closeAllConnections();
  for (const server of [upstream, httpProxy, socksProxy]) server.close();
});

const send = (proxy: string, address: string, body?: string) =>
  receiveResponse(
    client,
    {
      method: body === undefined ? "GET" : "POST",
      url: address,
      headers: {},
      body,
      firstByteMs: 2_000,
      idleMs: 2_000,
      proxy,
    },
    { bytesMax: 10_000, onCancel: () => undefined },
  );
const account = Buffer.from("ann:p@ss").toString("base64");

it("sends a call through an http proxy with its user and password", async () => {
  const place = `127.0.0.1:${getPort(upstream)}`;
  const calls = Array.from({ length: 5 }, (_, index) =>
    send(`http://ann:p%40ss@127.0.0.1:${getPort(httpProxy)}`, `http://${place}/v1/${index}`),
  );
  const responses = (await Promise.all(calls)).map(({ body }) => body.toString());
  expect(responses).toEqual([0, 1, 2, 3, 4].map((index) => `answer to /v1/${index}`));
  expect(seen).toContain(`forward ${place} Basic ${account}`);
});

it("sends a call through a socks5 proxy with its user and password", async () => {
  for (const scheme of ["socks5", "socks5h"]) {
    const proxy = `${scheme}://an%20n:p%40ss@127.0.0.1:${getPort(socksProxy)}`;
    const { status, body } = await send(proxy, `http://localhost:${getPort(upstream)}/v1`);
    expect([status, body.toString()]).toEqual([200, "answer to /v1"]);
  }
  expect(seen).toContain(`socks localhost:${getPort(upstream)} an n:p@ss`);
});

it("opens a WebSocket through the tunnel of an http proxy and of a socks5 proxy", async () => {
  const place = `127.0.0.1:${getPort(upstream)}`;
  const proxies = [
    `http://ann:p%40ss@127.0.0.1:${getPort(httpProxy)}`,
    `socks5://ben:x@127.0.0.1:${getPort(socksProxy)}`,
  ];
  for (const proxy of proxies) {
    const { body } = await send(proxy, `ws://${place}/`, "1");
    expect(body.toString()).toBe('data: {"heard":1}\n\n');
  }
  expect(seen).toContain(`tunnel ${place} Basic ${account}`);
  expect(seen).toContain(`socks ${place} ben:x`);
});

it("fails a call whose proxy is down, refuses or is invalid, and never connects directly", async () => {
  const place = `http://127.0.0.1:${getPort(upstream)}/direct`;
  await expect(send("http://127.0.0.1:1", place)).rejects.toThrow("ECONNREFUSED");
  await expect(send("socks5://127.0.0.1:1", place)).rejects.toThrow("ECONNREFUSED");
  await expect(send("nonsense", place)).rejects.toThrow("the URL is invalid");
  await expect(send(`http://127.0.0.1:${getPort(httpProxy)}`, "ws://refused.test/", "1")).rejects.toThrow("403");
  await expect(send("socks5://127.0.0.1:1", place.replace("http", "ws"), "1")).rejects.toThrow("ECONNREFUSED");
  // The proxy requires an account, and none is configured.
  await expect(send(`socks5://127.0.0.1:${getPort(socksProxy)}`, place.replace("http", "ws"), "1")).rejects.toThrow(
    "another authentication method",
  );
});
