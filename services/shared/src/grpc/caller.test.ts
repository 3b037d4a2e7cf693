import { ROLE } from "@turnpike/contract/codes";
import { describe, expect, it } from "vitest";
import { createLogger } from "../log/log.ts";
import { requireAdmin, requireSelf, requireService } from "./caller.ts";
import type { CallContext } from "./context.ts";

const context = (role?: number): CallContext => ({
  requestId: "r",
  actor: role === undefined ? undefined : { userId: 7, username: "ada", role, address: "192.0.2.7" },
  log: createLogger("test", "silent"),
  signal: new AbortController().signal,
});
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

describe("caller checks", () => {
  it("accepts an administrator where one is required", () => {
    expect(requireAdmin(context(ROLE.admin)).userId).toBe(7);
    expect(requireAdmin(context(ROLE.root)).userId).toBe(7);
    expect(() => requireAdmin(context(ROLE.user))).toThrow(refusal("permission_denied"));
    expect(() => requireAdmin(context())).toThrow(refusal("unauthenticated"));
  });

  it("accepts the owner only where only the owner is allowed, administrators included", () => {
    expect(requireSelf(context(ROLE.user), 7).username).toBe("ada");
    expect(() => requireSelf(context(ROLE.root), 8)).toThrow(refusal("permission_denied"));
    expect(() => requireSelf(context(), 7)).toThrow(refusal("unauthenticated"));
  });

  it("accepts only a service where users are not allowed", () => {
    expect(() => requireService(context())).not.toThrow();
    expect(() => requireService(context(ROLE.root))).toThrow(refusal("permission_denied"));
  });
});
