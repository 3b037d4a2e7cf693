import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { downloadFromIndex, findPackageIndex } from "./package-index.ts";
import type { Wheel } from "./wheels.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-index-"));
let server: Server | undefined;
afterEach(() => void server?.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONTENT = "the wheel";
const sha256 = createHash("sha256").update(CONTENT).digest("hex");
const wheel: Wheel = { label: "Server", requirement: "server-bin==1.2", platform: "any", sha256, member: "server" };
const target = join(folder, "package.zip");

/** An index that requires a password on its own addresses. */
async function serve(listing: (origin: string) => { type: string; body: string }): Promise<string> {
  const listener: RequestListener = (request, response) => {
    const origin = `http://${request.headers.host}`;
    const isKnown = request.headers.authorization === `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    if (!isKnown) response.writeHead(401).end();
    else if (request.url === "/simple/server-bin/") {
      const { type, body } = listing(origin);
      response.writeHead(200, { "content-type": type }).end(body);
    } else if (request.url === "/files/server.whl") response.end(CONTENT);
    else response.writeHead(404).end();
  };
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://me:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
}

describe("the configured Python package index", () => {
  it("comes from the environment, else from the most specific file of pip", () => {
    mkdirSync(join(folder, ".config/pip"), { recursive: true });
    mkdirSync(join(folder, ".pip"), { recursive: true });
    writeFileSync(join(folder, ".pip/pip.conf"), "[global]\nindex-url = https://legacy.test/simple\n");
    expect(findPackageIndex({}, folder)).toBe("https://legacy.test/simple");
    writeFileSync(
      join(folder, ".config/pip/pip.conf"),
      "[install]\nindex-url = https://other.test/\n[global]\ntimeout = 9\nindex_url: https://user.test/simple/\n",
    );
    expect(findPackageIndex({}, folder)).toBe("https://user.test/simple/");
    expect(findPackageIndex({ PIP_INDEX_URL: "https://env.test/simple" }, folder)).toBe("https://env.test/simple");
    expect(findPackageIndex({ PIP_CONFIG_FILE: "/none", HOME: "/none" }, "/none")).toBeUndefined();
  });

  it("serves the pinned file by its JSON listing", async () => {
    const files = (origin: string) => [
      { url: `${origin}/files/another.whl`, hashes: { sha256: "0".repeat(64) } },
      { url: "/files/server.whl", hashes: { sha256 } },
    ];
    const index = await serve((origin) => ({
      type: "application/vnd.pypi.simple.v1+json",
      body: JSON.stringify({ files: files(origin) }),
    }));
    await downloadFromIndex(index, wheel, target);
    expect(readFileSync(target, "utf8")).toBe(CONTENT);
  });

  it("serves the pinned file by its HTML listing", async () => {
    const body = `<a href="../../files/other.whl">a</a><a href="../../files/server.whl#sha256=${sha256}">b</a>`;
    const index = await serve(() => ({ type: "text/html", body }));
    await downloadFromIndex(`${index}/`, wheel, target);
    expect(readFileSync(target, "utf8")).toBe(CONTENT);
  });

  it("is refused when it lists another file only", async () => {
    const body = `<a href="/files/server.whl#sha256=${"1".repeat(64)}">b</a>`;
    const index = await serve(() => ({ type: "text/html", body }));
    await expect(downloadFromIndex(index, wheel, target)).rejects.toThrow("does not list the expected file");
    await expect(downloadFromIndex(index.replace("me:p%40ss@", ""), wheel, target)).rejects.toThrow("returned 401");
  });
});
