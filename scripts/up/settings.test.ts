import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("settings of the one-command start", () => {
  it("need nothing, and take an empty variable for an unset one", () => {
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
    [{ ROOT_USERNAME: "root" }, /set together/],
    [{ MASTER_KEY: "x", ROOT_USERNAME: "root", ROOT_PASSWORD: "short" }, /8 characters/],
  ])("refuse %o with a reason", (env, reason) => {
    expect(() => readSettings(env)).toThrow(reason);
  });
});
