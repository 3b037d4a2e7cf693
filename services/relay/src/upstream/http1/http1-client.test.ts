import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { errors } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { Http1Client } from "./http1-client.ts";

type ReceivedResponse = { status: number; body: string; error: Error | undefined };
const client = new Http1Client({ connectMs: 1_000, keepAliveMs: 30_000, connectionsPerOrigin: 2 });
const cleanUps: (() => void)[] = [];

afterEach(() => {
  client.close();
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serveHttp = (respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listen(createServer(respond));

/** Responds to each request head on a connection with scripted bytes. */
function serveBytes(onRequest: (socket: Socket, count: number) => void): Promise<string> {
  let count = 0;
  return listen(
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => onRequest(socket, ++count));
    }),
  );
}

function send(
  origin: string,
  settings: { body?: string | Buffer[]; limitMs?: number } = {},
): Promise<ReceivedResponse> {
  const { body = "{}", limitMs = 5_000 } = settings;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    const response = (error?: Error): ReceivedResponse => ({ status, body: Buffer.concat(chunks).toString(), error });
    client.dispatch(
      { origin, path: "/", method: "POST", headers: {}, body, headersTimeout: limitMs, bodyTimeout: limitMs },
      {
        onResponseStart: (_, received) => void (status = received),
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(response()),
        onResponseError: (_, error) => resolve(response(error)),
      },
    );
  });
}

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

describe("HTTP/1.1 client", () => {
  it("reuses a connection and limits how many are open", async () => {
    const sockets = new Set<Socket>();
    const origin = await serveHttp((request, response) => {
      sockets.add(request.socket);
      request.resume().on("end", () => setTimeout(() => response.end("ok"), 5));
    });
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(origin)));
    expect(responses.every(({ status, body }) => status === 200 && body === "ok")).toBe(true);
    expect(sockets.size).toBe(2);
  });

  it("sends bodies of any size and form unchanged", async () => {
    const origin = await serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => response.end(Buffer.concat(chunks)));
    });
    const long = "é中".repeat(100_000);
    // Compared as truth values: a difference would print the whole text.
    for (const body of ["", "{}", "é中", long]) expect((await send(origin, { body })).body === body).toBe(true);
    const parts = await send(origin, { body: [Buffer.from("a"), Buffer.from(long)] });
    expect(parts.body === `a${long}`).toBe(true);
  });

  it("opens another connection after upstream closed an idle one", async () => {
    const origin = await serveBytes((socket) => socket.end(OK));
    for (let call = 0; call < 3; call++) {
      expect(await send(origin)).toMatchObject({ status: 200, body: "ok", error: undefined });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it("does not reuse a connection on which more arrived than was requested", async () => {
    const origin = await serveBytes((socket, count) => {
      socket.write(OK);
      if (count === 1) setTimeout(() => socket.write(OK.replace("ok", "no")), 10);
    });
    expect((await send(origin)).body).toBe("ok");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await send(origin)).toMatchObject({ body: "ok", error: undefined });
  });

  it.each([
    ["before a response", ""],
    ["in the head", "HTTP/1.1 200 OK\r\ncontent"],
    ["in the body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok"],
    ["in a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nok"],
  ])("fails a call if upstream closes the connection %s", async (_, bytes) => {
    const origin = await serveBytes((socket) => socket.end(bytes));
    expect((await send(origin)).error).toBeInstanceOf(errors.SocketError);
  });

  it("fails a call if upstream sends no HTTP, and closes the connection", async () => {
    let closed: Promise<unknown> | undefined;
    const origin = await serveBytes((socket) => {
      closed = once(socket, "close");
      socket.write("SSH-2.0-x\r\n\r\n");
    });
    expect((await send(origin)).error?.message).toContain("no valid HTTP response");
    await closed;
  });

  it("fails a call whose response does not begin, or does not go on, within its limit", async () => {
    const silent = await serveBytes(() => undefined);
    expect((await send(silent, { limitMs: 150 })).error).toBeInstanceOf(errors.HeadersTimeoutError);
    const stalled = await serveBytes((socket) => socket.write(OK.slice(0, -1)));
    expect((await send(stalled, { limitMs: 150 })).error).toBeInstanceOf(errors.BodyTimeoutError);
  });

  it("fails a call where nothing listens", async () => {
    const origin = await serveHttp(() => undefined);
    cleanUps.splice(0).forEach((cleanUp) => cleanUp());
    expect((await send(origin)).error).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("closes the connection of an aborted call and serves the calls that wait for it", async () => {
    const origin = await serveHttp((request, response) => {
      request.resume();
      if (request.headers["x-hang"] === undefined) response.end("ok");
    });
    const hanging = Array.from({ length: 2 }, () => {
      let stop = (): void => undefined;
      const ended = new Promise<Error>((resolve) => {
        client.dispatch(
          {
            origin,
            path: "/",
            method: "POST",
            headers: { "x-hang": "1" },
            body: "",
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          {
            onRequestStart: (controller) => (stop = () => controller.abort(new Error("given up"))),
            onResponseError: (_, error) => resolve(error),
          },
        );
      });
      return { ended, stop: () => stop() };
    });
    const waiting = send(origin);
    for (const { stop, ended } of hanging) {
      stop();
      expect((await ended).message).toBe("given up");
    }
    expect((await waiting).body).toBe("ok");
  });

  it("fails a call for which no connection becomes free as soon as a new one would fail", async () => {
    const origin = await serveHttp(() => undefined);
    const hanging = [send(origin), send(origin)];
    const startedAt = performance.now();
    const { error } = await send(origin);
    expect(error).toBeInstanceOf(errors.ConnectTimeoutError);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    client.close();
    await Promise.all(hanging);
  });

  it("reads nothing while a call is paused, and loses nothing", async () => {
    const piece = "x".repeat(64 * 1024);
    const pieces = 200;
    let written = 0;
    const origin = await serveHttp((request, response) => {
      request.resume();
      const write = (): void => {
        while (written < pieces && response.write(piece)) written++;
        if (written < pieces) response.once("drain", () => (written++, write()));
        else response.end();
      };
      write();
    });
    let bytes = 0;
    await new Promise<void>((resolve, reject) => {
      client.dispatch(
        { origin, path: "/", method: "POST", headers: {}, body: "", headersTimeout: 5_000, bodyTimeout: 200 },
        {
          onResponseStart: (controller) => {
            controller.pause();
            // Longer than the limit for silence, which does not count while the reader is slow.
            setTimeout(() => {
              expect(bytes).toBeLessThan(piece.length * 4);
              expect(written).toBeLessThan(pieces);
              controller.resume();
            }, 500);
          },
          onResponseData: (_, chunk) => void (bytes += chunk.length),
          onResponseEnd: () => resolve(),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
    expect(bytes).toBe(piece.length * pieces);
  });
});
