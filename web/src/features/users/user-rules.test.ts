import { describe, expect, it } from "vitest";
import { actionsOn, canEnable, mayActOn } from "./user-rules.ts";

const user = { role: 1, status: 1, DeletedAt: null };
const admin = { role: 10, status: 1, DeletedAt: null };
const root = { role: 100, status: 1, DeletedAt: null };

describe("what the user list offers", () => {
  it("lets admins act on ordinary users only, without promotion", () => {
    expect(actionsOn(10, user)).toEqual(["disable", "delete"]);
    expect(actionsOn(10, { ...user, status: 2 })).toEqual(["enable", "delete"]);
    expect(actionsOn(10, admin)).toEqual([]);
    expect(actionsOn(10, root)).toEqual([]);
  });

  it("lets root promote users and demote admins", () => {
    expect(actionsOn(100, user)).toEqual(["disable", "promote", "delete"]);
    expect(actionsOn(100, admin)).toEqual(["disable", "demote", "delete"]);
  });

  it("never disables, demotes or deletes root", () => {
    expect(actionsOn(100, root)).toEqual([]);
    expect(mayActOn(100, root)).toBe(true);
  });

  it("leaves alone who is deregistered", () => {
    expect(actionsOn(100, { ...user, DeletedAt: 1 })).toEqual([]);
    expect(mayActOn(100, { ...user, DeletedAt: 1 })).toBe(false);
  });

  it("knows who cannot be enabled", () => {
    expect(canEnable({ ...user, status: 2 })).toBe(true);
    expect(canEnable({ ...user, status: 3 })).toBe(false);
  });
});
