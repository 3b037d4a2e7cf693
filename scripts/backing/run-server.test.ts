import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createBackingServer } from "./run-server.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("fails to start a server that ends at once, with the end of its log and what to do", async () => {
  const binary = join(folder, "server");
  writeFileSync(binary, "#!/bin/sh\necho 'bind: Permission denied'\nexit 1\n");
  chmodSync(binary, 0o755);
  const options = { binary, folder: join(folder, "data"), logFile: join(folder, "server.log"), port: 1 };
  const server = createBackingServer(
    { ...options, report: () => undefined },
    { label: "Redis", variable: "REDIS_URL", args: [], ready: () => Promise.resolve(false) },
  );
  const failure = await server.start().catch((error: unknown) => String(error));
  expect(failure).toContain("Redis did not start");
  expect(failure).toContain("bind: Permission denied");
  expect(failure).toContain("chown");
});
