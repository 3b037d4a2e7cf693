import { once } from "node:events";
import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createExchange, untilDrained } from "./exchange.ts";

async function openResponse(): Promise<{ response: ServerResponse; disconnect: () => void }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const request = get({ host: "127.0.0.1", port: (server.address() as AddressInfo).port }).on("error", () => undefined);
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  server.close();
  return { response, disconnect: () => request.destroy() };
}

it("leaves no listener behind when a client that reads slowly has read what was written", async () => {
  const { response, disconnect } = await openResponse();
  const exchange = createExchange(response, "req1");
  let listening = 0;
  const onDisconnect = (run: () => void): (() => void) => {
    const stop = exchange.onDisconnect(run);
    listening++;
    return () => {
      listening--;
      stop();
    };
  };
  const [drains, closes] = [response.listenerCount("drain"), response.listenerCount("close")];
  for (let count = 0; count < 50; count++) {
    const drained = untilDrained({ response, onDisconnect });
    expect(listening).toBe(1);
    response.emit("drain");
    await drained;
  }
  expect([listening, response.listenerCount("drain"), response.listenerCount("close")]).toEqual([0, drains, closes]);
  disconnect();
});

it("stops waiting when the client disconnects, also when it did before", async () => {
  const { response, disconnect } = await openResponse();
  const exchange = createExchange(response, "req1");
  const drained = untilDrained(exchange);
  disconnect();
  await drained;
  await untilDrained(exchange);
  expect(exchange.isDisconnected()).toBe(true);
  expect(response.listenerCount("drain")).toBe(0);
});
