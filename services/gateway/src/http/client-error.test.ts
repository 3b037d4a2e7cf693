import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientErrorHandler } from "./client-error.ts";

let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => response.end("served"));
  server.on(
    "clientError",
    createClientErrorHandler(() => "en"),
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

/** Sends bytes and returns everything that the server responds until it closes the connection. */
const exchange = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => (text += data.toString()));
    socket.once("close", () => resolve(text));
    socket.once("error", reject);
    socket.write(bytes);
  });

describe("a request that Node cannot parse", () => {
  it("is refused in the form of /api when its keyword has 100 kB", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/user/search?keyword=${"x".repeat(100_000)}`;
    const response = await fetch(url);
    expect(response.status).toBe(431);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await response.json()).toEqual({
      success: false,
      message: "The address or the headers of the request are too long",
      code: "address_too_long",
      params: {},
    });
  });

  it("is refused as Node does when it is not HTTP", async () => {
    expect(await exchange("nonsense\r\n\r\n")).toBe("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });

  it("does not keep the server from serving others", async () => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await response.text()).toBe("served");
  });
});
