import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { findListeners, findPortHolder } from "./port-holder.ts";
import { freePort } from "./ports.ts";

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 100
   1: 0100007F:0BB8 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0000000000000000 20
   2: 0100007F:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4713 1 0000000000000000 100
`;

it("finds the listening socket of a port, not its connections", () => {
  expect(findListeners(TABLE, 3_000)).toEqual(["4711"]);
  expect(findListeners(TABLE, 3_002)).toEqual([]);
});

it("names the process that listens on a port", async () => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  try {
    expect(findPortHolder(port)).toMatchObject({ pid: process.pid, command: expect.stringContaining("node") });
  } finally {
    server.close();
  }
});
