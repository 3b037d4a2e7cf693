import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { freePort } from "../../../scripts/process/ports.ts";

const PROGRAM = new URL("service-program.ts", import.meta.url).pathname;

it("starts the parts of a service in order, and ends them in order after it stopped being ready", async () => {
  const env = { PATH: process.env["PATH"], OPS_PORT: String(await freePort()) };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const output = await text(child.stdout);
  expect(output.trim().split("\n")).toEqual([
    "start callers",
    "start loop",
    "start store",
    "ready 200",
    "ready 503",
    "stop callers",
    // The loop failed to end; the store ends all the same, and the ops server responds until then.
    "ready 503",
    "stop store",
  ]);
  expect((await ended)[0]).toBe(0);
});
