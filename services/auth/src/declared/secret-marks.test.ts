import { describe, expect, it } from "vitest";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { createSecretMarks } from "./secret-marks.ts";

const MASTER_KEY = "a master key of the tests";

function listMarks(values: Readonly<Record<string, string>>, masterKey = MASTER_KEY): Promise<Record<string, string>> {
  const secretBox = createSecretBox(masterKey);
  const rows = Object.entries(values).map(([key, value]) => ({
    key,
    value: value === "" ? "" : secretBox.seal(value),
  }));
  const store = { readAll: () => Promise.resolve(rows) };
  return createSecretMarks({ store, secretBox, lookupHash: createLookupHash(masterKey) }).list();
}

describe("mark of a secret option", () => {
  it("changes with the value, and stays the same when the value is encrypted again", async () => {
    const first = await listMarks({ SMTPToken: "one" });
    expect((await listMarks({ SMTPToken: "one" }))["SMTPToken"]).toBe(first["SMTPToken"]);
    expect((await listMarks({ SMTPToken: "two" }))["SMTPToken"]).not.toBe(first["SMTPToken"]);
  });

  it("differs between options and servers, so that it reveals no equal values", async () => {
    const marks = await listMarks({ SMTPToken: "one", EpayKey: "one" });
    expect(marks["SMTPToken"]).not.toBe(marks["EpayKey"]);
    const other = await listMarks({ SMTPToken: "one" }, "a master key of another site");
    expect(other["SMTPToken"]).not.toBe(marks["SMTPToken"]);
  });

  it("survives a rotation of the master key", async () => {
    const before = await listMarks({ SMTPToken: "one" });
    const after = await listMarks({ SMTPToken: "one" }, `a new master key of the tests,${MASTER_KEY}`);
    expect(after["SMTPToken"]).toBe(before["SMTPToken"]);
  });

  it("is empty for an option that is not set, and exists for secret options only", async () => {
    const marks = await listMarks({ SystemName: "Turnpike", EpayKey: "" });
    expect(marks).toMatchObject({ SMTPToken: "", EpayKey: "" });
    expect(marks).not.toHaveProperty("SystemName");
  });
});
