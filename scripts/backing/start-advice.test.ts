import { describe, expect, it } from "vitest";
import { adviseOnStart } from "./start-advice.ts";

const failed = { label: "MongoDB", variable: "MONGODB_URL", folder: "/d/mongodb", port: 4711, signal: undefined };

describe("advice on a server that did not start", () => {
  it.each([
    ['{"c":"CONTROL","attr":{"error":"DBPathInUse: Unable to lock the lock file: /d/mongodb/mongod.lock"}}', "lsof"],
    ["Warning: Could not create server TCP listening socket 127.0.0.1:4711: bind: Address already in use", "Port 4711"],
    ["write error: No space left on device", "df -h /d/mongodb"],
    ["Can't open the append-only dir: Permission denied", "chown -R $(id -u) /d/mongodb"],
    ["UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document", "Put that version on PATH"],
    ["/lib/libc.so.6: version `GLIBC_2.38' not found", "set MONGODB_URL"],
    ["Bad file format reading the append only file", "redis-check-aof"],
    ["something else", "Correct the cause that its log names"],
  ])("follows from the log: %s", (log, advice) => {
    expect(adviseOnStart({ ...failed, log })).toContain(advice);
  });

  it("follows from the signal that ended it", () => {
    expect(adviseOnStart({ ...failed, log: "", signal: "SIGILL" })).toContain("AVX");
    expect(adviseOnStart({ ...failed, log: "", signal: "SIGKILL" })).toContain("memory");
  });
});
