import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { CREDIT, type RealtimeSite } from "./realtime-site.ts";

/** Sends a raw upgrade request; resolves with what the relay returned once the connection is closed. */
async function handshake(
  relayUrl: string,
  key: string,
  { over, method = "GET" }: { over: Readonly<Record<string, string | undefined>>; method?: string | undefined },
): Promise<string> {
  const { hostname, port } = new URL(relayUrl);
  const headers: Record<string, string | undefined> = {
    host: hostname,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    authorization: `Bearer ${key}`,
    ...over,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const socket = connect(Number(port), hostname);
  let response = "";
  socket.on("data", (data) => (response += String(data)));
  socket.write(`${method} /v1/realtime?model=gpt-realtime HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "close");
  return response;
}

const BAD_HANDSHAKES: readonly [string, Record<string, string | undefined>, string?][] = [
  ["no version", { "sec-websocket-version": undefined }],
  ["version 12", { "sec-websocket-version": "12" }],
  ["a version that is no number", { "sec-websocket-version": "x" }],
  ["no key", { "sec-websocket-key": undefined }],
  ["a short key", { "sec-websocket-key": "abc" }],
  ["a key that is not base64", { "sec-websocket-key": "?".repeat(24) }],
  ["an empty subprotocol", { "sec-websocket-protocol": "realtime,," }],
  ["a subprotocol twice", { "sec-websocket-protocol": "realtime, realtime" }],
  ["an invalid subprotocol", { "sec-websocket-protocol": "real(time)" }],
  ["another method", {}, "POST"],
];

/** Handshakes that are invalid or are not completed cost and hold nothing. */
export function handshakes(at: RealtimeSite): void {
  describe("invalid Realtime handshake", () => {
    const { createCaller, openSession, closeSession } = at;
    it.each(BAD_HANDSHAKES)("is refused with 400 before anything is held (%s)", async (_, over, method) => {
      const ann = await createCaller();
      const before = at.upstream.calls.length;
      const response = await handshake(at.world.relayUrl, ann.key, { over, method });
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('"code":"invalid_request"');
      expect(at.upstream.calls.length).toBe(before);
      expect(await at.world.metrics("relay")).toMatch(/^turnpike_relay_calls_in_flight 0$/m);
      // The balance is held by no session: all of it can be spent.
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      await closeSession(session);
      expect(await ann.balance()).toBe(CREDIT);
    });

    it("releases the hold of a client that closes its half of the connection meanwhile", async () => {
      const ann = await createCaller();
      const { hostname, port } = new URL(at.world.relayUrl);
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.end(
        `GET /v1/realtime?model=gpt-realtime HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer ${ann.key}\r\n\r\n`,
      );
      await expect
        .poll(() => at.world.metrics("relay"), { timeout: 5_000 })
        .toMatch(/^turnpike_relay_calls_in_flight 0$/m);
      socket.destroy();
      expect(await ann.balance()).toBe(CREDIT);
    });
  });
}
