import { describe, expect, it } from "vitest";
import { listUserActions, canEnable, canManageUser } from "./user-rules.ts";

const user = { role: 1, status: 1, DeletedAt: null };
const admin = { role: 10, status: 1, DeletedAt: null };
const root = { role: 100, status: 1, DeletedAt: null };

describe("user list actions", () => {
  it("lets admins act on ordinary users only, without promotion", () => {
    expect(listUserActions(10, user)).toEqual(["disable", "delete"]);
    expect(listUserActions(10, { ...user, status: 2 })).toEqual(["enable", "delete"]);
    expect(listUserActions(10, admin)).toEqual([]);
    expect(listUserActions(10, root)).toEqual([]);
  });

  it("lets root promote users and demote administrators", () => {
    expect(listUserActions(100, user)).toEqual(["disable", "promote", "delete"]);
    expect(listUserActions(100, admin)).toEqual(["disable", "demote", "delete"]);
  });

  it("never disables, demotes or deletes root", () => {
    expect(listUserActions(100, root)).toEqual([]);
    expect(canManageUser(100, root)).toBe(true);
  });

  it("offers nothing for deregistered users", () => {
    expect(listUserActions(100, { ...user, DeletedAt: 1 })).toEqual([]);
    expect(canManageUser(100, { ...user, DeletedAt: 1 })).toBe(false);
  });

  it("offers no enabling for users who cannot be enabled", () => {
    expect(canEnable({ ...user, status: 2 })).toBe(true);
    expect(canEnable({ ...user, status: 3 })).toBe(false);
  });
});
