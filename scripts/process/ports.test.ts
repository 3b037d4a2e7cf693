import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { freePort, freePorts, isPortFree } from "./ports.ts";

const MODULE = pathToFileURL(`${import.meta.dirname}/ports.ts`).href;

it("never returns a port that was given to another running process", async () => {
  const request = `const { freePorts } = await import(${JSON.stringify(MODULE)});
    console.log(JSON.stringify(await freePorts(100)));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", request], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const theirs = new Set(JSON.parse(line) as number[]);
    // A tenth of all ports: picked at random from one pool, some would collide.
    const ours = await freePorts(1_200);
    expect(theirs.size).toBe(100);
    expect(new Set(ours).size).toBe(1_200);
    expect(ours.filter((port) => theirs.has(port))).toEqual([]);
  } finally {
    child.kill();
  }
});

it("skips a port that is in use", async () => {
  const server = createServer();
  const next = (await freePort()) + 1;
  server.listen(next, "127.0.0.1");
  await once(server, "listening");
  expect(await isPortFree(next)).toBe(false);
  expect(await freePort()).not.toBe(next);
  server.close();
});
