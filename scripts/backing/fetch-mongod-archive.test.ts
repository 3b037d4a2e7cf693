import { describe, expect, it } from "vitest";
import { archiveName } from "./fetch-mongod-archive.ts";

describe("MongoDB archive", () => {
  it.each([
    ["linux", "x64", 'ID=debian\nVERSION_ID="12"\n', "linux/mongodb-linux-x86_64-debian12-7.0.14.tgz"],
    ["linux", "arm64", 'ID=debian\nVERSION_ID="12"\n', "linux/mongodb-linux-aarch64-ubuntu2204-7.0.14.tgz"],
    ["linux", "x64", 'ID=ubuntu\nVERSION_ID="24.04"\n', "linux/mongodb-linux-x86_64-ubuntu2204-7.0.14.tgz"],
    ["linux", "x64", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', "linux/mongodb-linux-x86_64-rhel90-7.0.14.tgz"],
    ["darwin", "arm64", "", "osx/mongodb-macos-arm64-7.0.14.tgz"],
    ["linux", "riscv64", "ID=debian\n", undefined],
    ["win32", "x64", "", undefined],
  ])("selects %s for %s", (platform, arch, osRelease, expected) => {
    expect(archiveName({ platform, arch, osRelease })).toBe(expected);
  });
});
