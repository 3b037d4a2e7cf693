import { describe, expect, it } from "vitest";
import type { UserDoc } from "../users/user-model.ts";
import { isStanding } from "./session-service.ts";

const session = (epoch: number, hash = "a") => ({
  hash,
  record: { userId: 1, epoch, createdAtSeconds: 0, seenAtSeconds: 0, address: "", userAgent: "" },
});
const user = (sessionEpoch: number, survivingSessionHash = "") => ({ sessionEpoch, survivingSessionHash }) as UserDoc;

describe("session", () => {
  it("is valid while the user's epoch is the one it was opened under", () => {
    expect(isStanding(session(3), user(3))).toBe(true);
  });

  it("has ended once the epoch has increased", () => {
    expect(isStanding(session(3), user(4))).toBe(false);
  });

  it("survives the change that named it, and only that one", () => {
    expect(isStanding(session(3), user(4, "a"))).toBe(true);
    expect(isStanding(session(3), user(4, "b"))).toBe(false);
    expect(isStanding(session(3), user(5, "a"))).toBe(false);
  });

  it("ends with every change if it has no hash", () => {
    expect(isStanding(session(3, ""), user(4, ""))).toBe(false);
  });
});
