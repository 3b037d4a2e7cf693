import { Agent, createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { tellToLeave } from "./tell-to-leave.ts";

it("callers with kept connections leave by themselves before the server closes", async () => {
  const server = createServer((_request, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ port, agent }, (response) => resolve(response.resume())).once("error", reject);
    });
  expect((await ask()).headers.connection).toBe("keep-alive");
  const startedAt = Date.now();
  const left = tellToLeave(server, 30);
  expect((await ask()).headers.connection).toBe("close");
  await left;
  expect(Date.now() - startedAt).toBeLessThan(2_500);
  agent.destroy();
  server.close();
});
