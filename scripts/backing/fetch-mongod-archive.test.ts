import { describe, expect, it } from "vitest";
import { findArchive } from "./fetch-mongod-archive.ts";

describe("MongoDB archive", () => {
  it.each([
    ["linux", "x64", "linux/mongodb-linux-x86_64-ubuntu2204-7.0.14.tgz"],
    ["linux", "arm64", "linux/mongodb-linux-aarch64-ubuntu2204-7.0.14.tgz"],
    ["darwin", "x64", "osx/mongodb-macos-x86_64-7.0.14.tgz"],
    ["darwin", "arm64", "osx/mongodb-macos-arm64-7.0.14.tgz"],
  ])("is pinned for %s on %s", (platform, arch, name) => {
    expect(findArchive(platform, arch)).toEqual({ name, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it.each([
    ["linux", "riscv64"],
    ["win32", "x64"],
  ])("does not exist for %s on %s", (platform, arch) => {
    expect(findArchive(platform, arch)).toBeUndefined();
  });
});
