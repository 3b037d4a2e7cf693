import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";
import { ROOT_USER } from "../../lib/world.ts";

const run = promisify(execFile);
const MAIN = resolve(import.meta.dirname, "../../../services/gateway/src/install-test/main.ts");
const CALLS = 16;

const at = useTestSite();

it("proves an install by calls of four dialects, as helm test runs it, and leaves nothing behind", async () => {
  const before = await at.testSite.root.get<unknown[]>("/api/channel/", { page_size: 100 });
  const env = {
    PATH: process.env["PATH"],
    TEST_GATEWAY_URL: at.world.consoleUrl,
    TEST_RELAY_URL: at.world.relayUrl,
    TEST_USERNAME: ROOT_USER.username,
    TEST_PASSWORD: ROOT_USER.password,
    TEST_UPSTREAM_PORT: "0",
    TEST_CALLS: String(CALLS),
  };
  const { stdout } = await run(process.execPath, [MAIN], { env }).catch(
    (error: { stdout?: string; message: string }) => ({
      stdout: `ended with an error: ${error.stdout ?? error.message}`,
    }),
  );
  expect(stdout).toContain("the install works");
  expect(stdout).toContain(`${CALLS} calls served, ${CALLS} reached the upstream`);
  for (const dialect of ["chat", "responses", "messages", "gemini"])
    expect(stdout).toContain(`${dialect}: 4 calls, 2 of`);
  expect(stdout).toContain(`${CALLS} log rows`);
  expect(await at.testSite.root.get<unknown[]>("/api/channel/", { page_size: 100 })).toHaveLength(before.length);
  const query = { keyword: "installtest", p: 1, page_size: 10 };
  const users = await at.testSite.root.get<{ items: { DeletedAt: number | null }[] }>("/api/user/search", query);
  expect(users.items.filter(({ DeletedAt: deletedAt }) => deletedAt === null)).toEqual([]);
  expect(users.items).toHaveLength(1);
}, 300_000);
