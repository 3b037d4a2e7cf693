import { describe, expect, it } from "vitest";
import { readLogFormat, readSettings } from "./up-settings.ts";

describe("one-command start settings", () => {
  it("requires no variable and treats an empty variable as unset", () => {
    expect(readSettings({ PORT: "", DATA_DIR: "/tmp/x" })).toMatchObject({
      PORT: 3000,
      RELAY_PORT: 3001,
      RELAY_WORKERS: 1,
      DATA_DIR: "/tmp/x",
    });
  });

  it.each([
    [{ PORT: "70000" }, /PORT/],
    [{ PORT: "3001" }, /must differ/],
    [{ RELAY_WORKERS: "0" }, /RELAY_WORKERS/],
    [{ LOG_LEVEL: "loud" }, /LOG_LEVEL/],
    [{ LOG_FORMAT: "xml" }, /LOG_FORMAT/],
    [{ ROOT_USERNAME: "root" }, /set together/],
    [{ MASTER_KEY: "x", ROOT_USERNAME: "root", ROOT_PASSWORD: "short" }, /8 characters/],
  ])("refuses %o with a reason", (env, reason) => {
    expect(() => readSettings(env)).toThrow(reason);
  });

  it.each([
    [{}, true, "pretty"],
    [{}, false, "json"],
    [{ LOG_FORMAT: "json" }, true, "json"],
    [{ LOG_FORMAT: "pretty" }, false, "pretty"],
  ] as const)("chooses the log format for %o, terminal: %s", (env, isTerminal, expected) => {
    expect(readLogFormat(env, isTerminal)).toBe(expected);
  });
});
